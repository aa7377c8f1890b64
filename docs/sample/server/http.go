package main

import (
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
)

const maxBody = 64 << 10

// Server answers requests of workers and of the web page.
type Server struct {
	queue *Queue
}

// Routes connects paths to handlers.
func (s *Server) Routes() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /jobs", s.submit)
	mux.HandleFunc("POST /take", s.take)
	mux.HandleFunc("POST /jobs/{id}/done", s.done)
	mux.HandleFunc("POST /jobs/{id}/fail", s.fail)
	return limitBody(mux)
}

func (s *Server) submit(w http.ResponseWriter, r *http.Request) {
	var body struct{ Kind, Payload string }
	if err := json.NewDecoder(r.Body).Decode(&body); err != nil || body.Kind == "" {
		http.Error(w, "expected a job with a kind", http.StatusBadRequest)
		return
	}
	writeJSON(w, http.StatusCreated, s.queue.Submit(body.Kind, body.Payload))
}

func (s *Server) take(w http.ResponseWriter, r *http.Request) {
	job, err := s.queue.Take(r.Header.Get("X-Worker"))
	if errors.Is(err, ErrEmpty) {
		w.WriteHeader(http.StatusNoContent)
		return
	}
	writeJSON(w, http.StatusOK, job)
}

func (s *Server) done(w http.ResponseWriter, r *http.Request) {
	s.finish(w, r, s.queue.Done)
}

func (s *Server) fail(w http.ResponseWriter, r *http.Request) {
	s.finish(w, r, s.queue.Fail)
}

func (s *Server) finish(w http.ResponseWriter, r *http.Request, end func(int64, string) error) {
	id, err := strconv.ParseInt(r.PathValue("id"), 10, 64)
	if err != nil {
		http.Error(w, "expected a number", http.StatusBadRequest)
		return
	}
	if err := end(id, r.Header.Get("X-Worker")); err != nil {
		http.Error(w, err.Error(), http.StatusConflict)
		return
	}
	w.WriteHeader(http.StatusNoContent)
}

// limitBody refuses requests that are larger than any job.
func limitBody(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.Body = http.MaxBytesReader(w, r.Body, maxBody)
		next.ServeHTTP(w, r)
	})
}

func writeJSON(w http.ResponseWriter, status int, value any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	json.NewEncoder(w).Encode(value)
}
