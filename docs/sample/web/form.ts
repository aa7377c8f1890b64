import { RequestFailed, submitJob } from "./api";

/** Sends the form as a job and says how it went. */
export async function onSubmit(form: HTMLFormElement, status: HTMLElement): Promise<void> {
  const fields = Object.fromEntries(new FormData(form));
  try {
    const job = await submitJob("mail", fields);
    status.textContent = `Job ${job.id} is queued.`;
  } catch (error) {
    status.textContent = explain(error);
  }
}

function explain(error: unknown): string {
  if (error instanceof RequestFailed && error.status === 413) {
    return "This message is too long.";
  }
  return "The job could not be queued. Try again later.";
}
