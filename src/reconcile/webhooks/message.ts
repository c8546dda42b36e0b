import { isObject, type JsonObject, type JsonValue, objectAt, stringAt } from '../../base/json/json.ts';
import type { ReconcileConfig } from '../model.ts';
import { parseGitAddress } from '../sources/gitAddress.ts';
import type { Headers } from './verify.ts';

/** The content of a webhook. */
export type Message =
  /** Something was pushed. `repositories`: the repository by each of its addresses. */
  | { readonly is: 'push'; readonly repositories: ReadonlySet<string>; readonly ref: string }
  /** Of no concern: a ping, a comment, the deletion of a branch. */
  | { readonly is: 'other' };

/** The members of a repository that are addresses, of GitHub, GitLab, Gitea and of `{url}` of anybody's own. */
const addresses = [
  ...['clone_url', 'ssh_url', 'git_url', 'html_url'],
  ...['git_http_url', 'git_ssh_url', 'http_url_to_repo', 'ssh_url_to_repo', 'web_url', 'url'],
];

/** A commit that is none: the branch was deleted. */
const none = /^0+$/;

/**
 * A push as GitHub, GitLab (branches and tags) and Gitea send it, or `{type: 'push', data: {url, ref}}` of Standard
 * Webhooks.
 */
export function readMessage(headers: Headers, body: JsonValue): Message {
  if (!isObject(body)) return { is: 'other' };
  const event = headers['x-github-event'] ?? headers['x-gitea-event'];
  const kind = stringAt(body, 'object_kind') ?? stringAt(body, 'type') ?? event;
  if (kind !== 'push' && kind !== 'tag_push') return { is: 'other' };
  const content = { ...body, ...objectAt(body, 'data') };
  const ref = stringAt(content, 'ref');
  const isDeleted = content['deleted'] === true || none.test(stringAt(content, 'after') ?? '1');
  if (ref === undefined || isDeleted) return { is: 'other' };
  const named = [content, objectAt(content, 'repository'), objectAt(content, 'project')];
  return { is: 'push', repositories: new Set(named.flatMap(repositoriesIn)), ref };
}

function repositoriesIn(object: JsonObject): readonly string[] {
  return addresses.flatMap((key) => {
    const text = stringAt(object, key);
    const address = text === undefined ? { why: '' } : parseGitAddress(text.replace(/^git:/, 'https:'));
    return 'why' in address ? [] : [address.repository];
  });
}

/** Whom it concerns: stacks by name, and whether the list of stacks itself was pushed. */
export interface Concerned {
  readonly stacks: readonly string[];
  readonly config: boolean;
}

export function concernedBy(
  message: Message,
  { stacks, followed }: Pick<ReconcileConfig, 'stacks' | 'followed'>,
): Concerned {
  if (message.is === 'other') return { stacks: [], config: false };
  const { repositories, ref } = message;
  const isMeant = (source: { readonly repository: string; readonly ref: string }) =>
    repositories.has(source.repository) && (source.ref === ref || source.ref === 'HEAD');
  return {
    stacks: stacks.flatMap(({ name, source }) => (source.kind === 'git' && isMeant(source) ? [name] : [])),
    config: followed !== undefined && isMeant(followed),
  };
}
