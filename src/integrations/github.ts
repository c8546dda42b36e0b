import { unzipSync } from 'fflate';
import { type JsonObject, listAt, numberAt, objectAt, stringAt } from '../base/json/json.ts';
import { ToolError } from '../base/toolError.ts';
import { sha256 } from '../project/files/sha256.ts';
import type { Environment } from '../project/session/session.ts';
import { ciVariable, type Forge, type ForgeComment, type Kept, type KeptNames, noChange, notKept } from './forge.ts';
import {
  askForge,
  askForgeJson,
  download,
  type ForgeApi,
  gitHubHeaders,
  mostBytes,
  objectIn,
  objectsIn,
  unexpectedReply,
} from './forgeRequest.ts';

const pageSize = 100;
/** For artifacts with one name, which are listed with the newest first. */
const mostPages = 50;
const mostUnpacked = 128 * 2 ** 20;

/** GitHub from a job of GitHub Actions (REST API, version 2022-11-28). Errors: `ci.environment`. */
export function gitHub(environment: Environment): Forge {
  const repository = ciVariable(environment, 'GITHUB_REPOSITORY');
  const api: ForgeApi = {
    name: 'GitHub',
    url: ciVariable(environment, 'GITHUB_API_URL').replace(/\/$/, ''),
    headers: gitHubHeaders(ciVariable(environment, 'GITHUB_TOKEN', tokenHint)),
    permissionHint: 'Give the job these permissions: actions: read, contents: read, pull-requests: write.',
  };
  const repo = `/repos/${repository}`;
  return {
    name: 'GitHub',
    change: () => changeOf(environment),
    ownComments: async (change) => {
      const login = await ownLogin(api, environment);
      const all = await pages(api, `${repo}/issues/${change}/comments`);
      return all.filter((comment) => stringAt(objectAt(comment, 'user'), 'login') === login).map(commentOf);
    },
    addComment: async (change, text) => {
      const { value } = await askForgeJson(api, {
        method: 'POST',
        path: `${repo}/issues/${change}/comments`,
        body: { body: text },
      });
      return commentOf(objectIn(value, 'GitHub, the new comment'));
    },
    replaceComment: async (_, id, text) => {
      const { value } = await askForgeJson(api, {
        method: 'PATCH',
        path: `${repo}/issues/comments/${id}`,
        body: { body: text },
      });
      return commentOf(objectIn(value, 'GitHub, the comment'));
    },
    keptFiles: (name, files) =>
      keptFiles(
        { api, repo, commit: ciVariable(environment, 'GITHUB_SHA'), branch: branchOf(environment) },
        name,
        files,
      ),
  };
}

const tokenHint = ['Pass it to the step:', 'env:', '  GITHUB_TOKEN: $' + '{{ github.token }}'].join('\n');

function changeOf(environment: Environment): string {
  const ref = environment['GITHUB_REF'] ?? '';
  const [, number] = /^refs\/pull\/(\d+)\//.exec(ref) ?? [];
  if (number !== undefined) return number;
  throw noChange(`GITHUB_REF is ${JSON.stringify(ref)}, which is not a pull request`);
}

function branchOf(environment: Environment): string {
  const ref = environment['GITHUB_REF'] ?? '';
  const [, branch] = /^refs\/heads\/(.+)$/.exec(ref) ?? [];
  if (branch !== undefined) return branch;
  throw noChange(`GITHUB_REF is ${JSON.stringify(ref)}, which is not a branch that pull requests are merged into`);
}

/**
 * The account of the token. GET /user refuses the token of a job, so GraphQL is used, which answers for every kind of
 * token.
 */
async function ownLogin(api: ForgeApi, environment: Environment): Promise<string> {
  const url = environment['GITHUB_GRAPHQL_URL']?.replace(/\/graphql$/, '') ?? api.url.replace(/\/v3$/, '');
  const { value } = await askForgeJson(
    { ...api, url },
    { method: 'POST', path: '/graphql', body: { query: 'query { viewer { login } }' }, isRead: true },
  );
  const login = stringAt(objectAt(objectAt(objectIn(value, 'GitHub, POST /graphql'), 'data'), 'viewer'), 'login');
  if (login !== undefined) return login;
  throw unexpectedReply('GitHub, POST /graphql: the reply does not name the account of the token');
}

async function pages(api: ForgeApi, path: string): Promise<readonly JsonObject[]> {
  const all: JsonObject[] = [];
  for (let page = 1; ; page += 1) {
    const { value } = await askForgeJson(api, { method: 'GET', path: `${path}?per_page=${pageSize}&page=${page}` });
    const found = objectsIn(value, `GitHub, GET ${path}`);
    all.push(...found);
    if (found.length < pageSize) return all;
  }
}

function commentOf(comment: JsonObject): ForgeComment {
  return {
    id: String(numberAt(comment, 'id') ?? ''),
    text: stringAt(comment, 'body') ?? '',
    url: stringAt(comment, 'html_url'),
  };
}

interface Source {
  readonly api: ForgeApi;
  readonly repo: string;
  /** The merge commit. */
  readonly commit: string;
  /** The branch of this pipeline. */
  readonly branch: string;
}

async function keptFiles(source: Source, name: string, { required, optional }: KeptNames): Promise<Kept> {
  const { change, head } = await mergedAs(source);
  const artifact = await artifactOf(source, { name, change, head });
  const path = `${source.repo}/actions/artifacts/${artifact.id}/zip`;
  const { headers, bytes } = await askForge(source.api, { method: 'GET', path }, [302, 307]);
  const address = headers.get('location');
  const archive = address === null ? bytes : await download(source.api, address);
  if (artifact.sha256 !== undefined && sha256(archive) !== artifact.sha256) {
    throw notKept(`the archive of the artifact ${name} does not have the checksum that GitHub recorded for it`);
  }
  const files = unpacked(archive, name, [required, optional]);
  const found = files.get(required);
  if (found === undefined) throw notKept(`the artifact ${name} does not contain ${required}`);
  return { required: found, optional: files.get(optional), change, commit: head };
}

async function mergedAs(source: Source): Promise<{ readonly change: string; readonly head: string }> {
  const { api, repo, commit, branch } = source;
  const path = `${repo}/commits/${commit}/pulls`;
  const { value } = await askForgeJson(api, { method: 'GET', path });
  const found = objectsIn(value, `GitHub, GET ${path}`).find(
    (pull) =>
      // Before the merge, this is the commit of a trial merge.
      stringAt(pull, 'merge_commit_sha') === commit &&
      stringAt(pull, 'merged_at') !== undefined &&
      stringAt(objectAt(pull, 'base'), 'ref') === branch,
  );
  const number = found === undefined ? undefined : numberAt(found, 'number');
  const head = found === undefined ? undefined : stringAt(objectAt(found, 'head'), 'sha');
  if (number !== undefined && head !== undefined) return { change: String(number), head };
  throw noChange(`commit ${commit.slice(0, 12)} was not merged into ${branch} by a pull request`);
}

interface Artifact {
  readonly id: number;
  /** Undefined if an old action uploaded it. */
  readonly sha256: string | undefined;
}

interface Wanted {
  readonly name: string;
  readonly change: string;
  readonly head: string;
}

/** From the last commit of the change, and from this repository: artifacts of a fork are not trusted. */
async function artifactOf({ api, repo }: Source, { name, change, head }: Wanted): Promise<Artifact> {
  const ofHead: JsonObject[] = [];
  for (let page = 1; ; page += 1) {
    const query = `name=${encodeURIComponent(name)}&per_page=${pageSize}&page=${page}`;
    const path = `${repo}/actions/artifacts?${query}`;
    const { value } = await askForgeJson(api, { method: 'GET', path });
    const artifacts = objectsIn(listAt(objectIn(value, `GitHub, GET ${path}`), 'artifacts'), `GitHub, GET ${path}`);
    ofHead.push(
      ...artifacts.filter(
        (artifact) =>
          stringAt(artifact, 'name') === name && stringAt(objectAt(artifact, 'workflow_run'), 'head_sha') === head,
      ),
    );
    if (artifacts.length < pageSize || page === mostPages) break;
  }
  const ours = ofHead.filter((artifact) => {
    const run = objectAt(artifact, 'workflow_run');
    const project = numberAt(run, 'repository_id');
    return project !== undefined && numberAt(run, 'head_repository_id') === project;
  });
  const [newest] = ours
    .filter((artifact) => artifact['expired'] !== true)
    .sort((a, b) => ((stringAt(a, 'created_at') ?? '') < (stringAt(b, 'created_at') ?? '') ? 1 : -1));
  const id = newest === undefined ? undefined : numberAt(newest, 'id');
  if (newest !== undefined && id !== undefined) {
    if ((numberAt(newest, 'size_in_bytes') ?? 0) > mostBytes) throw tooLarge(name, mostBytes);
    const [, sha256] = /^sha256:([0-9a-f]{64})$/.exec(stringAt(newest, 'digest') ?? '') ?? [];
    return { id, sha256 };
  }
  if (ours.length > 0) throw notKept(`the artifact ${name} of pull request ${change} has expired`);
  if (ofHead.length > 0) throw notKept(`the artifact ${name} of pull request ${change} was made in a fork`);
  throw notKept(`pull request ${change} has no artifact ${name} for its last commit ${head.slice(0, 12)}`);
}

function unpacked(archive: Uint8Array, name: string, wanted: readonly string[]): ReadonlyMap<string, Uint8Array> {
  const entries = new Map<string, number>();
  try {
    // The filter accepts nothing, so that nothing is inflated.
    unzipSync(archive, {
      filter: (entry) => {
        if (entries.has(entry.name)) throw notKept(`the artifact ${name} contains ${entry.name} twice`);
        entries.set(entry.name, entry.originalSize);
        return false;
      },
    });
    if (wanted.some((file) => (entries.get(file) ?? 0) > mostUnpacked)) throw tooLarge(name, mostUnpacked);
    return new Map(Object.entries(unzipSync(archive, { filter: (entry) => wanted.includes(entry.name) })));
  } catch (error) {
    throw error instanceof ToolError ? error : notKept(`the artifact ${name} is not a ZIP archive`);
  }
}

function tooLarge(name: string, bytes: number): ToolError {
  return notKept(`the artifact ${name} holds more than ${bytes / 2 ** 20} MiB, which is more than any plan`);
}
