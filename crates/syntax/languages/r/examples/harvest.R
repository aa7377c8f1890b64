# Counts what was harvested.
library(dplyr)
source("helpers.R")

# Kilograms in a crate.
CRATE <- 12
LIMIT <- 100
UNITS <- c("kg", "t")
VERBOSE = FALSE
start <- Sys.time()

#' Weigh a crate
#'
#' @param crate A crate.
#' @param tare What the crate itself weighs.
#' @export
weigh <- function(crate, tare = 0.5) {
  check(crate)
  crate %>% dplyr::mutate(net = gross - tare) %>% summary()
}

half <- \(x) x / 2

total = function(crates,
                 sort = TRUE,
                 ...) {
  sum(vapply(crates, weigh, numeric(1)))
}

`%+%` <- function(a, b) paste0(a, b)
print.crate <- function(x, ...) cat("crate", x$name)
tools$sharpen <- function(blade) blade$edge()
options <- list(deep = TRUE)

# An orchard of trees.
Orchard <- R6::R6Class("Orchard",
  inherit = Field,
  public = list(
    trees = NULL,
    # Plants the trees.
    initialize = function(trees) {
      self$trees <- trees
    },
    pick = function(n = 1) {
      private$shake(n)
      invisible(self)
    }
  ),
  private = list(
    shake = function(n) sample(self$trees, n)
  )
)

setClass("Tree", contains = "Plant", representation(height = "numeric"))
setGeneric("grow", function(tree, ...) standardGeneric("grow"))
setMethod("grow", "Tree", function(tree, ...) {
  tree@height <- tree@height + 1
  tree
})

Account <- setRefClass("Account", fields = list(balance = "numeric"),
  methods = list(
    deposit = function(x) {
      balance <<- balance + x
    }
  )
)

describe("an orchard", {
  it("grows", {
    expect_true(grow(new("Tree"))@height > 0)
  })
})

test_that("crates are weighed", {
  expect_equal(weigh(crate(1)), 0.5)
})
