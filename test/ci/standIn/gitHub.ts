import { createHash } from 'node:crypto';
import { zipSync } from 'fflate';
import { expectField, type ForgeServer, startForgeServer } from './forgeServer.ts';

export interface Pull {
  readonly number: number;
  /** The last commit of its branch. */
  head: string;
  /** The merge commit. */
  merged?: string;
  /** The target branch; main by default. */
  readonly base?: string;
  /** The pull request is open, and `merged` is the commit of a trial merge. */
  readonly isOpen?: boolean;
}

export interface Artifact {
  readonly name: string;
  readonly head: string;
  files: Readonly<Record<string, Uint8Array>>;
  readonly expired?: boolean;
  readonly fork?: boolean;
  /** A wrong digest or size in GitHub's metadata of the archive. */
  readonly digest?: string;
  readonly size?: number;
}

export interface GitHubComment {
  readonly id: number;
  readonly pull: number;
  readonly user: { readonly login: string; readonly type: 'Bot' | 'User' };
  body: string;
}

export interface GitHubStandIn extends ForgeServer {
  readonly pulls: Pull[];
  readonly artifacts: Artifact[];
  readonly comments: GitHubComment[];
  /** The variables of a job. */
  variables(ref: string, sha: string): Readonly<Record<string, string>>;
}

const repository = 'acme/shop';
const repo = `/repos/${repository}`;
const token = 'ghs_standIn';
const bot = { login: 'github-actions[bot]', type: 'Bot' } as const;

/**
 * GitHub's REST API with the calls of a Gantry pipeline, as its reference describes them: headers, bodies, pages of at
 * most 100, a redirect to a signed address for archives, 403 for an installation that requests its user, and GraphQL's
 * answer to that.
 */
export async function startGitHub(): Promise<GitHubStandIn> {
  const pulls: Pull[] = [];
  const artifacts: Artifact[] = [];
  const comments: GitHubComment[] = [];
  const shown = ({ id, user, body, pull }: GitHubComment) => ({
    id,
    user,
    body,
    html_url: `https://github.example/${repository}/pull/${pull}#issuecomment-${id}`,
  });
  const server = await startForgeServer(({ method, path, query, headers, body }, url) => {
    const [, signed] = /^\/storage\/(\d+)$/.exec(path) ?? [];
    if (method === 'GET' && signed !== undefined) {
      if (headers.authorization !== undefined) throw new Error('the token was sent to the storage');
      return { status: 200, bytes: archiveOf(artifacts[Number(signed)]) };
    }
    if (method === 'POST' && path === '/graphql' && headers.authorization === `Bearer ${token}`) {
      if (expectField(body, 'query') !== 'query { viewer { login } }') throw new Error('another query');
      return { status: 200, json: { data: { viewer: { login: bot.login } } } };
    }
    if (headers.authorization !== `Bearer ${token}`) return { status: 401, json: { message: 'Bad credentials' } };
    if (headers.accept !== 'application/vnd.github+json') throw new Error(`accept: ${headers.accept}`);
    if (headers['x-github-api-version'] !== '2022-11-28') throw new Error('no version of the API');
    if (headers['user-agent'] === undefined) throw new Error('no user-agent');

    if (method === 'GET' && path === '/user') {
      return { status: 403, json: { message: 'Resource not accessible by integration' } };
    }
    const [, ofPull] = /^\/issues\/(\d+)\/comments$/.exec(path.replace(repo, '')) ?? [];
    if (ofPull !== undefined && method === 'GET') {
      const size = Number(query.get('per_page') ?? 30);
      const page = Number(query.get('page') ?? 1);
      if (size > 100) throw new Error('pages have at most 100');
      const all = comments.filter(({ pull }) => pull === Number(ofPull));
      return { status: 200, json: all.slice((page - 1) * size, page * size).map(shown) };
    }
    if (ofPull !== undefined && method === 'POST') {
      const comment = { id: 1_000 + comments.length, pull: Number(ofPull), user: bot, body: commentText(body) };
      comments.push(comment);
      return { status: 201, json: shown(comment) };
    }
    const [, changed] = /^\/issues\/comments\/(\d+)$/.exec(path.replace(repo, '')) ?? [];
    if (changed !== undefined && method === 'PATCH') {
      const comment = comments.find(({ id }) => id === Number(changed));
      if (comment === undefined) return { status: 404, json: { message: 'Not Found' } };
      comment.body = commentText(body);
      return { status: 200, json: shown(comment) };
    }
    const [, commit] = /^\/commits\/([0-9a-f]{40})\/pulls$/.exec(path.replace(repo, '')) ?? [];
    if (commit !== undefined && method === 'GET') {
      const found = pulls.filter(({ head, merged }) => merged === commit || head === commit);
      return {
        status: 200,
        json: found.map(({ number, head, merged = null, base = 'main', isOpen = merged === null }) => ({
          number,
          head: { sha: head },
          base: { ref: base },
          merge_commit_sha: merged,
          merged_at: isOpen ? null : '2026-01-01T00:00:00Z',
        })),
      };
    }
    if (method === 'GET' && path === `${repo}/actions/artifacts`) {
      const name = query.get('name');
      const size = Number(query.get('per_page') ?? 30);
      const page = Number(query.get('page') ?? 1);
      if (size > 100) throw new Error('pages have at most 100');
      const found = artifacts
        .map((artifact, index) => ({ artifact, index }))
        .filter(({ artifact }) => artifact.name === name);
      return {
        status: 200,
        json: {
          total_count: found.length,
          artifacts: found
            .toReversed()
            .slice((page - 1) * size, page * size)
            .map(({ artifact, index }) => ({
              id: index,
              name: artifact.name,
              expired: artifact.expired ?? false,
              size_in_bytes: artifact.size ?? archiveOf(artifact).length,
              digest: artifact.digest ?? `sha256:${createHash('sha256').update(archiveOf(artifact)).digest('hex')}`,
              created_at: new Date(Date.UTC(2026, 0, 1) + index * 1_000).toISOString(),
              workflow_run: {
                head_sha: artifact.head,
                repository_id: 1,
                head_repository_id: artifact.fork === true ? 2 : 1,
              },
            })),
        },
      };
    }
    const [, zipped] = /^\/actions\/artifacts\/(\d+)\/zip$/.exec(path.replace(repo, '')) ?? [];
    if (zipped !== undefined && method === 'GET')
      return { status: 302, headers: { location: `${url}/storage/${zipped}` } };
    return undefined;
  });
  return {
    ...server,
    pulls,
    artifacts,
    comments,
    variables: (ref, sha) => ({
      GITHUB_ACTIONS: 'true',
      GITHUB_API_URL: server.url,
      GITHUB_GRAPHQL_URL: `${server.url}/graphql`,
      GITHUB_REPOSITORY: repository,
      GITHUB_REF: ref,
      GITHUB_SHA: sha,
      GITHUB_TOKEN: token,
    }),
  };
}

const archives = new WeakMap<Artifact['files'], Uint8Array>();

/** Cached, because a large archive takes seconds and is requested three times. */
function archiveOf({ files }: Artifact = { name: '', head: '', files: {} }): Uint8Array {
  const archive = archives.get(files) ?? zipSync({ ...files }, { mtime: '2026-01-01T00:00:00Z' });
  archives.set(files, archive);
  return archive;
}

function commentText(body: unknown): string {
  const text = expectField(body, 'body');
  if (text.length > 65_536) throw new Error('body is too long (maximum is 65536 characters)');
  return text;
}
