import type { Environment } from '../project/session/session.ts';

/** A URL that needs no escaping in any text. */
const plain = /^https?:\/\/[\w.:-]+\/[\w./~-]*$/;

/** The URL of this job, from the variables of GitHub and GitLab; undefined elsewhere. */
export function jobAddress(environment: Environment): string | undefined {
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: repository, GITHUB_RUN_ID: run, CI_JOB_URL: job } = environment;
  const isGitHub = server !== undefined && repository !== undefined && run !== undefined;
  const address = isGitHub ? `${server}/${repository}/actions/runs/${run}` : job;
  return address !== undefined && plain.test(address) ? address : undefined;
}

/** The commit that the job has checked out, from the variables of GitHub and GitLab; undefined elsewhere. */
export function commitOf({ GITHUB_SHA, CI_COMMIT_SHA }: Environment): string | undefined {
  const commit = GITHUB_SHA ?? CI_COMMIT_SHA;
  return commit !== undefined && /^[0-9a-f]{7,64}$/.test(commit) ? commit : undefined;
}
