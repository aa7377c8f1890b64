/** A job as the server describes it. */
export interface Job {
  id: number;
  kind: string;
  attempts: number;
  ready_at: string;
}

/** The server refused a request. */
export class RequestFailed extends Error {
  constructor(readonly status: number, text: string) {
    super(text);
  }
}

/** Adds a job to the queue. */
export async function submitJob(kind: string, payload: unknown): Promise<Job> {
  const answer = await fetch("/jobs", {
    method: "POST",
    body: JSON.stringify({ kind, payload: JSON.stringify(payload) }),
  });
  if (!answer.ok) {
    throw new RequestFailed(answer.status, await answer.text());
  }
  return answer.json();
}
