// What stands once for several that follow each other.

/** For each night, newest first, how many nights in a row have its commit,
  told at the newest of them; 0 at the others. */
export function commitRuns(nights) {
  const runs = nights.map(() => 0);
  let head = 0;
  nights.forEach((night, i) => {
    const sha = night.commit?.sha;
    if (i === 0 || !sha || sha !== nights[head].commit?.sha) head = i;
    runs[head]++;
  });
  return runs;
}

/** Was this job's result taken in from elsewhere, so that it never ran here? It ended before it was put down. */
export const isTakenIn = (job) => job.node === "imported" || (job.finished_ms > 0 && job.finished_ms < job.queued_ms);

/** Ended jobs by project and night: [{project, night, jobs}], the last ended first. */
export function byNight(jobs) {
  const groups = new Map();
  for (const job of jobs.filter((j) => !isTakenIn(j)).sort((a, b) => (b.finished_ms ?? 0) - (a.finished_ms ?? 0))) {
    const key = `${job.project}\n${job.night ?? ""}`;
    if (!groups.has(key)) groups.set(key, { project: job.project, night: job.night, jobs: [] });
    groups.get(key).jobs.push(job);
  }
  return [...groups.values()];
}

/** What is said of ended jobs that are not listed, or where there is none; null: they are all there. */
export const endedWords = (jobs) => jobs.some(isTakenIn) ? "Jobs of imported nights are not listed: they ran elsewhere."
  : jobs.length === 0 ? "None yet." : null;
