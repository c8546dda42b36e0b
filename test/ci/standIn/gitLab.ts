import { expectField, type ForgeServer, startForgeServer } from './forgeServer.ts';

export interface MergeRequest {
  readonly iid: number;
  /** The last commit of its branch. */
  head: string;
  /** The merge commit. */
  merged?: string;
  readonly fork?: boolean;
  /** The target branch; main by default. */
  readonly target?: string;
}

export interface GitLabPipeline {
  readonly id: number;
  readonly iid: number;
  /** The commit of the pipeline: the head of the merge request, or the merged result. */
  readonly sha: string;
  /** The parents of a merged result: the target and the head. */
  readonly parents?: readonly string[];
  readonly jobs: readonly GitLabJob[];
}

export interface GitLabJob {
  readonly id: number;
  readonly name: string;
  readonly status: string;
  readonly files: Readonly<Record<string, Uint8Array>>;
}

export interface GitLabNote {
  readonly id: number;
  readonly iid: number;
  readonly author: number;
  body: string;
}

export interface GitLabStandIn extends ForgeServer {
  readonly requests: MergeRequest[];
  readonly pipelines: GitLabPipeline[];
  readonly notes: GitLabNote[];
  /** The variables of a job; with `iid`, of a job in a merge request's pipeline. */
  variables(sha: string, iid?: number): Readonly<Record<string, string>>;
}

const project = '/projects/7';
const token = 'glpat-standIn';
const own = 99;

/** GitLab's REST API v4 with the calls of a Gantry pipeline, as its reference describes them. */
export async function startGitLab(): Promise<GitLabStandIn> {
  const requests: MergeRequest[] = [];
  const pipelines: GitLabPipeline[] = [];
  const notes: GitLabNote[] = [];
  const shown = ({ id, author, body }: GitLabNote) => ({ id, body, author: { id: author } });
  const server = await startForgeServer(({ method, path: whole, query, headers, body }) => {
    if (headers['private-token'] !== token) return { status: 401, json: { message: '401 Unauthorized' } };
    if (!whole.startsWith('/api/v4')) return undefined;
    const path = whole.slice('/api/v4'.length);
    if (method === 'GET' && path === '/user') return { status: 200, json: { id: own, username: 'project_7_bot' } };
    const within = path.startsWith(project) ? path.slice(project.length) : '';

    const [, ofRequest] = /^\/merge_requests\/(\d+)\/notes$/.exec(within) ?? [];
    if (ofRequest !== undefined && method === 'GET') {
      const size = Number(query.get('per_page') ?? 20);
      const page = Number(query.get('page') ?? 1);
      if (size > 100) throw new Error('pages have at most 100');
      const all = notes.filter(({ iid }) => iid === Number(ofRequest));
      const next = page * size < all.length ? String(page + 1) : '';
      return {
        status: 200,
        json: all.slice((page - 1) * size, page * size).map(shown),
        headers: { 'x-next-page': next },
      };
    }
    if (ofRequest !== undefined && method === 'POST') {
      const note = { id: 500 + notes.length, iid: Number(ofRequest), author: own, body: expectField(body, 'body') };
      notes.push(note);
      return { status: 201, json: shown(note) };
    }
    const [, iid, changed] = /^\/merge_requests\/(\d+)\/notes\/(\d+)$/.exec(within) ?? [];
    if (changed !== undefined && method === 'PUT') {
      const note = notes.find((each) => each.id === Number(changed) && each.iid === Number(iid));
      if (note === undefined) return { status: 404, json: { message: '404 Not found' } };
      note.body = expectField(body, 'body');
      return { status: 200, json: shown(note) };
    }
    const [, commit] = /^\/repository\/commits\/([0-9a-f]{40})\/merge_requests$/.exec(within) ?? [];
    if (commit !== undefined && method === 'GET') {
      const found = requests.filter(({ head, merged }) => merged === commit || head === commit);
      return {
        status: 200,
        json: found.map((request) => ({
          iid: request.iid,
          state: request.merged === undefined ? 'opened' : 'merged',
          sha: request.head,
          merge_commit_sha: request.merged ?? null,
          squash_commit_sha: null,
          target_branch: request.target ?? 'main',
          source_project_id: request.fork === true ? 8 : 7,
          target_project_id: 7,
        })),
      };
    }
    const [, piped] = /^\/merge_requests\/(\d+)$/.exec(within) ?? [];
    if (piped !== undefined && method === 'GET') {
      const last = pipelines.filter((pipeline) => pipeline.iid === Number(piped)).at(-1);
      const request = requests.find(({ iid }) => iid === Number(piped));
      // A push without a pipeline keeps the previous pipeline here.
      const ref = `refs/merge-requests/${piped}/${last?.parents === undefined ? 'head' : 'merge'}`;
      const shownPipeline = last === undefined ? null : { id: last.id, sha: last.sha, ref, status: 'success' };
      return { status: 200, json: { iid: Number(piped), sha: request?.head, head_pipeline: shownPipeline } };
    }
    const [, committed] = /^\/repository\/commits\/([0-9a-f]{40})$/.exec(within) ?? [];
    if (committed !== undefined && method === 'GET') {
      const made = pipelines.find(({ sha }) => sha === committed);
      if (made === undefined) return { status: 404, json: { message: '404 Commit Not Found' } };
      return { status: 200, json: { id: committed, parent_ids: made.parents ?? [] } };
    }
    const [, jobsOf] = /^\/pipelines\/(\d+)\/jobs$/.exec(within) ?? [];
    if (jobsOf !== undefined && method === 'GET') {
      const jobs = pipelines.find(({ id }) => id === Number(jobsOf))?.jobs ?? [];
      return { status: 200, json: jobs.map(({ id, name, status }) => ({ id, name, status })) };
    }
    const [, job, file = ''] = /^\/jobs\/(\d+)\/artifacts\/(.+)$/.exec(within) ?? [];
    if (job !== undefined && method === 'GET') {
      const found = pipelines.flatMap(({ jobs }) => jobs).find(({ id }) => id === Number(job));
      const bytes = found?.files[decodeURIComponent(file)];
      return bytes === undefined ? { status: 404, json: { message: '404 Not Found' } } : { status: 200, bytes };
    }
    return undefined;
  });
  return {
    ...server,
    requests,
    pipelines,
    notes,
    variables: (sha, iid) => ({
      GITLAB_CI: 'true',
      CI_API_V4_URL: `${server.url}/api/v4`,
      CI_PROJECT_ID: '7',
      CI_COMMIT_SHA: sha,
      GITLAB_TOKEN: token,
      ...(iid === undefined ? { CI_COMMIT_BRANCH: 'main' } : { CI_MERGE_REQUEST_IID: String(iid) }),
    }),
  };
}
