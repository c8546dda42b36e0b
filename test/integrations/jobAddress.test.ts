import { expect, test } from 'vitest';
import { commitOf, jobAddress } from '../../src/integrations/jobAddress.ts';

const commit = '0123456789abcdef0123456789abcdef01234567';
const github = {
  ...{ GITHUB_SERVER_URL: 'https://github.example', GITHUB_REPOSITORY: 'acme/shop', GITHUB_RUN_ID: '7' },
  GITHUB_SHA: commit,
};
const job = 'https://gitlab.example/acme/shop/-/jobs/9';

// biome-ignore format: a row is a case
test.each([
  { it: 'a job of GitHub', environment: github, run: 'https://github.example/acme/shop/actions/runs/7', at: commit },
  { it: 'a job of GitLab', environment: { CI_JOB_URL: job, CI_COMMIT_SHA: commit }, run: job, at: commit },
  { it: 'a terminal', environment: {}, run: undefined, at: undefined },
  { it: 'an invalid address and commit', environment: { CI_JOB_URL: 'javascript:alert(1)', CI_COMMIT_SHA: '<b>' },
    run: undefined, at: undefined },
])('the run and the commit are known: $it', ({ environment, run, at }) => {
  expect([jobAddress(environment), commitOf(environment)]).toEqual([run, at]);
});
