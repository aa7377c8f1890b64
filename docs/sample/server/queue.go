package main

import (
	"errors"
	"sync"
	"time"
)

// ErrEmpty says that no job is ready.
var ErrEmpty = errors.New("no job is ready")

// ErrLease says that the lease belongs to somebody else by now.
var ErrLease = errors.New("the lease has run out")

// Job is one piece of work.
type Job struct {
	ID       int64     `json:"id"`
	Kind     string    `json:"kind"`
	Payload  string    `json:"payload"`
	Attempts int       `json:"attempts"`
	ReadyAt  time.Time `json:"ready_at"`
	worker   string
	until    time.Time
}

// Queue hands out jobs, each to one worker at a time.
type Queue struct {
	mu    sync.Mutex
	jobs  map[int64]*Job
	dead  []*Job
	last  int64
	retry RetryPolicy
	lease time.Duration
	now   func() time.Time
}

// NewQueue makes an empty queue.
func NewQueue(retry RetryPolicy, lease time.Duration) *Queue {
	return &Queue{jobs: map[int64]*Job{}, retry: retry, lease: lease, now: time.Now}
}

// Submit adds a job that may run at once.
func (q *Queue) Submit(kind, payload string) *Job {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.last++
	job := &Job{ID: q.last, Kind: kind, Payload: payload, ReadyAt: q.now()}
	q.jobs[job.ID] = job
	return job
}

// Take leases the job that has been ready longest.
func (q *Queue) Take(worker string) (*Job, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.releaseExpired()
	var oldest *Job
	for _, job := range q.jobs {
		if job.worker != "" || job.ReadyAt.After(q.now()) {
			continue
		}
		if oldest == nil || job.ReadyAt.Before(oldest.ReadyAt) {
			oldest = job
		}
	}
	if oldest == nil {
		return nil, ErrEmpty
	}
	oldest.worker = worker
	oldest.until = q.now().Add(q.lease)
	oldest.Attempts++
	return oldest, nil
}

// Done removes a job that its worker has finished.
func (q *Queue) Done(id int64, worker string) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	if !q.holds(id, worker) {
		return ErrLease
	}
	delete(q.jobs, id)
	return nil
}

// Fail puts a job back with a delay, or gives it up after the last attempt.
func (q *Queue) Fail(id int64, worker string) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	if !q.holds(id, worker) {
		return ErrLease
	}
	job := q.jobs[id]
	if q.retry.GivesUp(job.Attempts) {
		delete(q.jobs, id)
		q.dead = append(q.dead, job)
		return nil
	}
	job.worker = ""
	job.ReadyAt = q.now().Add(q.retry.Delay(job.Attempts))
	return nil
}

// holds says whether a worker still has the lease on a job.
func (q *Queue) holds(id int64, worker string) bool {
	job, ok := q.jobs[id]
	return ok && job.worker == worker && !q.now().After(job.until)
}

// releaseExpired takes jobs back from workers that went silent.
func (q *Queue) releaseExpired() {
	for _, job := range q.jobs {
		if job.worker != "" && q.now().After(job.until) {
			job.worker = ""
		}
	}
}
