import { unzipSync } from 'fflate';
import { ToolError } from '../../errors/toolError.ts';
import { type JsonObject, listAt, numberAt, objectAt, stringAt } from '../../schema/json/json.ts';
import type { Environment } from '../session/session.ts';
import { ciVariable } from './ciVariables.ts';
import type { Forge, ForgeComment, Kept, KeptNames } from './forge.ts';
import { askForge, askForgeJson, download, type ForgeApi } from './forgeRequest.ts';
import { noChange, notKept } from './noPlan.ts';
import { objectIn, objectsIn } from './parseReply.ts';

const pageSize = 100;
/** Of artifacts with one name: their newest are first. */
const mostPages = 50;
const mostUnpacked = 500 * 2 ** 20;

/** GitHub, as a job of GitHub Actions sees it (REST API, version 2022-11-28). Errors: `ci.environment`. */
export function gitHub(environment: Environment): Forge {
  const repository = ciVariable(environment, 'GITHUB_REPOSITORY');
  const api: ForgeApi = {
    name: 'GitHub',
    url: ciVariable(environment, 'GITHUB_API_URL').replace(/\/$/, ''),
    headers: {
      accept: 'application/vnd.github+json',
      authorization: `Bearer ${ciVariable(environment, 'GITHUB_TOKEN', tokenHint)}`,
      'user-agent': 'gantry',
      'x-github-api-version': '2022-11-28',
    },
    permissionHint: 'Give the job these permissions: actions: read, contents: read, pull-requests: write.',
  };
  const repo = `/repos/${repository}`;
  return {
    name: 'GitHub',
    change: () => changeOf(environment),
    ownComments: async (change) => {
      const isOwn = await authorship(api);
      const all = await pages(api, `${repo}/issues/${change}/comments`);
      return all.filter((comment) => isOwn(objectAt(comment, 'user'))).map(commentOf);
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
    keptFiles: (name, files) => keptFiles({ api, repo, commit: ciVariable(environment, 'GITHUB_SHA') }, name, files),
  };
}

const tokenHint = ['Pass it to the step:', 'env:', '  GITHUB_TOKEN: $' + '{{ github.token }}'].join('\n');

function changeOf(environment: Environment): string {
  const ref = environment['GITHUB_REF'] ?? '';
  const [, number] = /^refs\/pull\/(\d+)\//.exec(ref) ?? [];
  if (number !== undefined) return number;
  throw noChange(`GITHUB_REF is ${JSON.stringify(ref)}, which is not a pull request`);
}

/** An installation's token may not ask who it is; what it writes is a bot's. */
async function authorship(api: ForgeApi): Promise<(user: JsonObject) => boolean> {
  const login = await askForgeJson(api, { method: 'GET', path: '/user' }).then(
    ({ value }) => stringAt(objectIn(value, 'GitHub, GET /user'), 'login'),
    (error: unknown) => {
      if (error instanceof ToolError && /answered 40[13] /.test(error.message)) return undefined;
      throw error;
    },
  );
  return login === undefined ? (user) => stringAt(user, 'type') === 'Bot' : (user) => stringAt(user, 'login') === login;
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
  /** The commit that was merged. */
  readonly commit: string;
}

async function keptFiles(source: Source, name: string, { required, optional }: KeptNames): Promise<Kept> {
  const { change, head } = await mergedAs(source);
  const id = await artifactOf(source, { name, change, head });
  const path = `${source.repo}/actions/artifacts/${id}/zip`;
  const { headers, bytes } = await askForge(source.api, { method: 'GET', path }, [302, 307]);
  const address = headers.get('location');
  const archive = address === null ? bytes : await download('GitHub', address);
  const files = unpacked(archive, name, [required, optional]);
  const found = files.get(required);
  if (found === undefined)
    throw notKept(
      `the artifact ${name} does not contain ${required}, or it is larger than ${mostUnpacked / 2 ** 20} MiB`,
    );
  return { required: found, optional: files.get(optional), change, commit: head };
}

async function mergedAs({ api, repo, commit }: Source): Promise<{ readonly change: string; readonly head: string }> {
  const path = `${repo}/commits/${commit}/pulls`;
  const { value } = await askForgeJson(api, { method: 'GET', path });
  const found = objectsIn(value, `GitHub, GET ${path}`).find((pull) => stringAt(pull, 'merge_commit_sha') === commit);
  const number = found === undefined ? undefined : numberAt(found, 'number');
  const head = found === undefined ? undefined : stringAt(objectAt(found, 'head'), 'sha');
  if (number !== undefined && head !== undefined) return { change: String(number), head };
  throw noChange(`commit ${commit.slice(0, 12)} was not merged by a pull request`);
}

interface Wanted {
  readonly name: string;
  readonly change: string;
  readonly head: string;
}

/** Of the last commit of the change, and of this repository: what a fork keeps is not ours. */
async function artifactOf({ api, repo }: Source, { name, change, head }: Wanted): Promise<number> {
  const ofHead: JsonObject[] = [];
  for (let page = 1; ; page += 1) {
    const query = `name=${encodeURIComponent(name)}&per_page=${pageSize}&page=${page}`;
    const path = `${repo}/actions/artifacts?${query}`;
    const { value } = await askForgeJson(api, { method: 'GET', path });
    const artifacts = objectsIn(listAt(objectIn(value, `GitHub, GET ${path}`), 'artifacts'), `GitHub, GET ${path}`);
    ofHead.push(...artifacts.filter((artifact) => stringAt(objectAt(artifact, 'workflow_run'), 'head_sha') === head));
    if (artifacts.length < pageSize || page === mostPages) break;
  }
  const ours = ofHead.filter((artifact) => {
    const run = objectAt(artifact, 'workflow_run');
    return numberAt(run, 'head_repository_id') === numberAt(run, 'repository_id');
  });
  const [newest] = ours
    .filter((artifact) => artifact['expired'] !== true)
    .sort((a, b) => ((stringAt(a, 'created_at') ?? '') < (stringAt(b, 'created_at') ?? '') ? 1 : -1));
  const id = newest === undefined ? undefined : numberAt(newest, 'id');
  if (id !== undefined) return id;
  if (ours.length > 0) throw notKept(`the artifact ${name} of pull request ${change} has expired`);
  if (ofHead.length > 0) throw notKept(`the artifact ${name} of pull request ${change} was made in a fork`);
  throw notKept(`pull request ${change} has no artifact ${name} for its last commit ${head.slice(0, 12)}`);
}

function unpacked(archive: Uint8Array, name: string, wanted: readonly string[]): ReadonlyMap<string, Uint8Array> {
  try {
    const files = unzipSync(archive, {
      filter: (entry) => wanted.includes(entry.name) && entry.originalSize <= mostUnpacked,
    });
    return new Map(Object.entries(files));
  } catch {
    throw notKept(`the artifact ${name} is not a ZIP archive`);
  }
}
