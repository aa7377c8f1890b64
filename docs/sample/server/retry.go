package main

import (
	"math/rand"
	"time"
)

// RetryPolicy says when a failed job runs again.
type RetryPolicy struct {
	First       time.Duration
	Longest     time.Duration
	MaxAttempts int
}

// Delay doubles with every attempt up to Longest. A random part of it keeps
// jobs that failed together from coming back together.
func (p RetryPolicy) Delay(attempts int) time.Duration {
	delay := p.First
	for i := 1; i < attempts && delay < p.Longest; i++ {
		delay *= 2
	}
	if delay > p.Longest {
		delay = p.Longest
	}
	return delay/2 + time.Duration(rand.Int63n(int64(delay/2)+1))
}

// GivesUp says whether a job has failed for the last time.
func (p RetryPolicy) GivesUp(attempts int) bool {
	return attempts >= p.MaxAttempts
}
