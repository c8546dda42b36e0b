import { present } from '../base/json/present.ts';
import type { Undelivered } from './deliver.ts';
import { askForge, type ForgeApi, type ForgeRequest, gitHubHeaders } from './forgeRequest.ts';
import type { CommitStatus, StatusForge } from './statusForge.ts';

/** GitHub's maximum. */
const longest = 140;
/** Refusals of the content, which would be refused later too. */
const ofContent = [400, 409, 422];
/** GitLab's answer for a commit that is no longer in any branch, and for a project that the token cannot see. */
const notThere = 404;

/** Undefined on success. Errors: `ci.forge`, if a later attempt may succeed. */
export async function setCommitStatus(forge: StatusForge, status: CommitStatus): Promise<Undelivered | undefined> {
  const { api, request } = asked(forge, status);
  // Idempotent, so it may be sent again.
  const isGitLab = forge.forge === 'gitlab';
  const expected = isGitLab ? [...ofContent, notThere] : ofContent;
  const reply = await askForge(api, { method: 'POST', ...request, isRead: true }, expected);
  if (reply.status < 300) return undefined;
  const text = Buffer.from(reply.bytes.subarray(0, 2_000)).toString('utf8');
  // GitLab refuses a status that is already set.
  if (isGitLab && reply.status === 400 && text.includes('Cannot transition status')) return undefined;
  if (reply.status === notThere && !/References|Commit/.test(text))
    return { why: `it answered ${notThere}: ${api.permissionHint}`, isRefused: false };
  return { why: `it answered ${reply.status}`, isRefused: true };
}

interface Asked {
  readonly api: ForgeApi;
  readonly request: Pick<ForgeRequest, 'path' | 'body'>;
}

function asked({ forge, api: url, repository, token }: StatusForge, status: CommitStatus): Asked {
  const { commit, context, state, url: target_url } = status;
  const description = status.description.replace(/\s+/g, ' ').slice(0, longest).toWellFormed();
  const said = { description, ...present({ target_url }) };
  if (forge === 'github') {
    const permissionHint = 'The token of statuses needs the permission to write commit statuses.';
    return {
      api: { name: 'GitHub', url, headers: gitHubHeaders(token), permissionHint },
      request: { path: `/repos/${repository}/statuses/${commit}`, body: { ...said, state, context } },
    };
  }
  const permissionHint = 'The token of statuses needs the scope api, and the role Developer in this project.';
  return {
    api: { name: 'GitLab', url, headers: { 'private-token': token, 'user-agent': 'gantry' }, permissionHint },
    request: {
      path: `/projects/${encodeURIComponent(repository)}/statuses/${commit}`,
      body: { ...said, state: state === 'failure' ? 'failed' : state, name: context },
    },
  };
}
