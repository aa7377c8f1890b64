# Where uploads are kept, and who may read them.
terraform {
  required_version = ">= 1.6"

  required_providers {
    aws = {
      source  = "hashicorp/aws"
      version = "~> 5.0"
    }
  }

  backend "s3" {
    bucket = "state"
    key    = "storage.tfstate"
  }
}

variable "region" {
  description = "Where everything runs."
  type        = string
  default     = "eu-north-1"
}

locals {
  prefix  = "shop-${var.region}"
  days    = 30
  owner   = "storage"
  charged = true

  # Carried by everything that costs money.
  tags = {
    Owner  = local.owner
    Region = var.region
  }
  names = [for kind in ["in", "out"] : "${local.prefix}-${kind}"]
}

provider "aws" {
  region = var.region
}

data "aws_iam_policy_document" "read" {
  statement {
    actions   = ["s3:GetObject"]
    resources = ["${aws_s3_bucket.data.arn}/*"]
  }
}

/* Uploads from customers.
   Kept for as long as the contract runs. */
resource "aws_s3_bucket" "data" {
  bucket = format("%s-data", local.prefix)
  tags   = merge(local.tags, { Tier = "hot" })

  dynamic "lifecycle_rule" {
    for_each = var.rules
    content {
      id      = lifecycle_rule.value.id
      enabled = true
    }
  }

  lifecycle {
    prevent_destroy = true
  }
}

module "cache" {
  source = "./modules/cache"
  count  = var.cached ? 1 : 0

  bucket = aws_s3_bucket.data.id
  policy = data.aws_iam_policy_document.read.json
}

output "bucket" {
  value = aws_s3_bucket.data.bucket
}
