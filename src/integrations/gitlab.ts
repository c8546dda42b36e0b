import { type JsonObject, listAt, numberAt, objectAt, stringAt } from '../base/json/json.ts';
import type { Environment } from '../project/session/session.ts';
import { ciVariable, type Forge, type ForgeComment, type Kept, type KeptNames, noChange, notKept } from './forge.ts';
import { askForge, askForgeJson, type ForgeApi, objectIn, objectsIn } from './forgeRequest.ts';

/** GitLab from a job of GitLab CI (REST API v4). Errors: `ci.environment`. */
export function gitLab(environment: Environment): Forge {
  const api: ForgeApi = {
    name: 'GitLab',
    url: ciVariable(environment, 'CI_API_V4_URL').replace(/\/$/, ''),
    headers: { 'private-token': ciVariable(environment, 'GITLAB_TOKEN', tokenHint), 'user-agent': 'gantry' },
    permissionHint: 'GITLAB_TOKEN needs the scope api, and the role Developer in this project.',
  };
  const project = `/projects/${encodeURIComponent(ciVariable(environment, 'CI_PROJECT_ID'))}`;
  const notes = (change: string) => `${project}/merge_requests/${change}/notes`;
  return {
    name: 'GitLab',
    change: () => changeOf(environment),
    ownComments: async (change) => {
      const { value: user } = await askForgeJson(api, { method: 'GET', path: '/user' });
      const own = numberAt(objectIn(user, 'GitLab, GET /user'), 'id');
      const all = await pages(api, notes(change));
      return all.filter((note) => own !== undefined && numberAt(objectAt(note, 'author'), 'id') === own).map(commentOf);
    },
    addComment: async (change, text) => {
      const { value } = await askForgeJson(api, { method: 'POST', path: notes(change), body: { body: text } });
      return commentOf(objectIn(value, 'GitLab, the new note'));
    },
    replaceComment: async (change, id, text) => {
      const { value } = await askForgeJson(api, {
        method: 'PUT',
        path: `${notes(change)}/${id}`,
        body: { body: text },
      });
      return commentOf(objectIn(value, 'GitLab, the note'));
    },
    keptFiles: (name, files) =>
      keptFiles(
        {
          api,
          project,
          commit: ciVariable(environment, 'CI_COMMIT_SHA'),
          branch: ciVariable(environment, 'CI_COMMIT_BRANCH', branchHint),
        },
        name,
        files,
      ),
  };
}

const tokenHint =
  'CI_JOB_TOKEN cannot write comments. Make a project access token with the scope api, and a masked variable GITLAB_TOKEN.';

const branchHint = 'Fetch plans in a pipeline of the branch that merge requests are merged into.';

function changeOf(environment: Environment): string {
  const iid = environment['CI_MERGE_REQUEST_IID'] ?? '';
  if (/^\d+$/.test(iid)) return iid;
  throw noChange('CI_MERGE_REQUEST_IID is not set: this is not a merge request pipeline');
}

async function pages(api: ForgeApi, path: string): Promise<readonly JsonObject[]> {
  const all: JsonObject[] = [];
  for (let page = '1'; page !== ''; ) {
    const { value, headers } = await askForgeJson(api, { method: 'GET', path: `${path}?per_page=100&page=${page}` });
    all.push(...objectsIn(value, `GitLab, GET ${path}`));
    page = headers.get('x-next-page') ?? '';
  }
  return all;
}

function commentOf(note: JsonObject): ForgeComment {
  return { id: String(numberAt(note, 'id') ?? ''), text: stringAt(note, 'body') ?? '', url: undefined };
}

interface Source {
  readonly api: ForgeApi;
  readonly project: string;
  /** The merge commit. */
  readonly commit: string;
  /** The branch of this pipeline. */
  readonly branch: string;
}

async function keptFiles(source: Source, name: string, { required, optional }: KeptNames): Promise<Kept> {
  const { api, project } = source;
  const change = await mergedAs(source);
  const { id: pipeline, commit } = await lastPipelineOf(source, change);
  const path = `${project}/pipelines/${pipeline}/jobs`;
  const jobs = await pages(api, path);
  const job = jobs.find((each) => stringAt(each, 'name') === name);
  const id = job === undefined ? undefined : numberAt(job, 'id');
  if (job === undefined || id === undefined) {
    throw notKept(`the last pipeline of merge request ${change} has no job ${name}`);
  }
  const status = stringAt(job, 'status') ?? 'unknown';
  if (status !== 'success') throw notKept(`the job ${name} of merge request ${change} has the status ${status}`);
  const artifacts = `${project}/jobs/${id}/artifacts/`;
  const { bytes } = await askForge(api, { method: 'GET', path: artifacts + required });
  const other = await askForge(api, { method: 'GET', path: artifacts + optional }, [404]);
  return { required: bytes, optional: other.status === 404 ? undefined : other.bytes, change, commit };
}

async function mergedAs({ api, project, commit, branch }: Source): Promise<string> {
  const path = `${project}/repository/commits/${commit}/merge_requests`;
  const { value } = await askForgeJson(api, { method: 'GET', path });
  const found = objectsIn(value, `GitLab, GET ${path}`).find(
    (merged) =>
      stringAt(merged, 'state') === 'merged' &&
      stringAt(merged, 'target_branch') === branch &&
      [merged['merge_commit_sha'], merged['squash_commit_sha'], merged['sha']].includes(commit),
  );
  const iid = found === undefined ? undefined : numberAt(found, 'iid');
  if (found === undefined || iid === undefined) {
    throw noChange(`commit ${commit.slice(0, 12)} was not merged into ${branch} by a merge request`);
  }
  const target = numberAt(found, 'target_project_id');
  if (target === undefined || numberAt(found, 'source_project_id') !== target) {
    throw notKept(`merge request ${iid} comes from a fork, whose pipelines do not belong to this project`);
  }
  return String(iid);
}

/**
 * The pipeline of the last commit, passed or not: an older one planned an older state of the branch. A push that starts
 * no pipeline does not change `head_pipeline`, so its commit is compared.
 */
async function lastPipelineOf(source: Source, change: string): Promise<{ id: number; commit: string }> {
  const path = `${source.project}/merge_requests/${change}`;
  const { value } = await askForgeJson(source.api, { method: 'GET', path });
  const request = objectIn(value, `GitLab, GET ${path}`);
  const head = stringAt(request, 'sha');
  const pipeline = objectAt(request, 'head_pipeline');
  const id = numberAt(pipeline, 'id');
  if (head !== undefined && id !== undefined && (await isMadeFrom(source, pipeline, head))) return { id, commit: head };
  throw notKept(`merge request ${change} has no pipeline for its last commit`);
}

/** A pipeline of a merged result or a merge train runs on its own commit, whose parents are the target and the head. */
async function isMadeFrom({ api, project }: Source, pipeline: JsonObject, head: string): Promise<boolean> {
  const commit = stringAt(pipeline, 'sha');
  if (commit === undefined || commit === head) return commit === head;
  if (!/^refs\/merge-requests\/\d+\/(merge|train)$/.test(stringAt(pipeline, 'ref') ?? '')) return false;
  const path = `${project}/repository/commits/${commit}`;
  const { value } = await askForgeJson(api, { method: 'GET', path });
  return listAt(objectIn(value, `GitLab, GET ${path}`), 'parent_ids').includes(head);
}
