# Ends in the middle of a call.
twice <- function(x) {
  x * 2
}

plot(twice(c(1, 2)
