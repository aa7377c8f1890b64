# What production sets.
region = "eu-west-1"
cached = true
rules  = []
limit  = 4

# Who is told when something breaks.
alarms = {
  disk = "ops@example.org"
  cost = "money@example.org"
}

job "resize" {
  group "workers" {
    count = 2

    task "thumbnails" {
      driver = "docker"

      config {
        image = "shop/resize:3"
      }
    }
  }
