// Command server keeps the queue.
package main

import (
	"log"
	"net/http"
	"time"
)

func main() {
	retry := RetryPolicy{First: 500 * time.Millisecond, Longest: 5 * time.Minute, MaxAttempts: 8}
	server := &Server{queue: NewQueue(retry, 30*time.Second)}
	log.Fatal(http.ListenAndServe("127.0.0.1:8400", server.Routes()))
}
