package main

import (
	"testing"
	"time"
)

func TestLeaseRunsOut(t *testing.T) {
	now := time.Unix(0, 0)
	queue := NewQueue(RetryPolicy{MaxAttempts: 3}, time.Minute)
	queue.now = func() time.Time { return now }
	queue.Submit("mail", "{}")
	if _, err := queue.Take("a"); err != nil {
		t.Fatal(err)
	}
	now = now.Add(2 * time.Minute)
	job, err := queue.Take("b")
	if err != nil || job.Attempts != 2 {
		t.Fatalf("got %v, %v", job, err)
	}
}

func TestDelayGrowsAndEnds(t *testing.T) {
	policy := RetryPolicy{First: time.Second, Longest: 10 * time.Second, MaxAttempts: 8}
	for attempts := 1; attempts < 20; attempts++ {
		if delay := policy.Delay(attempts); delay > policy.Longest {
			t.Errorf("attempt %d waits %v", attempts, delay)
		}
	}
}
