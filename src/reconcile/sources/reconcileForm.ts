import { posix } from 'node:path';
import * as read from '../../base/form/read.ts';
import type { JsonObject } from '../../base/json/json.ts';
import { present } from '../../base/json/present.ts';
import { instantOf } from '../../base/text/instant.ts';
import { forgeNames } from '../../integrations/statusForge.ts';
import { windows } from '../../project/settings/limits.ts';
import { duration, path, text } from '../../project/settings/setting.ts';
import {
  type CredentialReference,
  type RoleRule,
  type SecretReference,
  type SignInSettings,
  type StackEvent,
  stackEvents,
  webhookForms,
} from '../model.ts';
import { followBounds, mode, origin, permitted, secret, webAddress } from './configForms.ts';
import { isRefName, parseGitAddress } from './gitAddress.ts';

/** Everything that `reconcile.yaml` may contain. One definition gives its reader, messages and JSON Schema. */

/** Names are displayed, typed, and used in addresses. */
const nameOfStack = /^[A-Za-z0-9][\w.@-]{0,99}$/;
const least = 1_000;

export function isStackName(name: string): boolean {
  return nameOfStack.test(name);
}

/** Interval between checks of a stack. */
const interval = read.map(duration, (ms, at) => {
  if (ms < least) throw at.bad('must be at least 1s');
  return ms;
});

const paused = read.object(
  {
    reason: read.described('Why, for those who look at the stack.', read.name),
    until: read.optional(
      read.described(
        'When it goes on, such as 2027-01-31T08:00:00Z. Absent: when this is removed from the file.',
        read.converted(
          (value) => (typeof value === 'string' ? instantOf(value) : undefined),
          'a time with its zone, such as 2027-01-31T08:00:00Z',
          { type: 'string' },
        ),
      ),
    ),
  },
  { example: 'paused: {reason: "the move to the new cluster"}' },
);

/** The settings that `defaults` may set for every stack. */
const shared = {
  mode: read.optional(
    read.described(
      'detect reports, propose waits for an approval, auto applies within the limits. Default: detect.',
      mode,
    ),
  ),
  interval: read.optional(read.described('Time between two looks. Default: 10m.', interval)),
  jitter: read.optional(
    read.described(
      'At most this is added to the interval, another amount each time. Default: a tenth of it.',
      duration,
    ),
  ),
  window: read.optional(
    read.described(
      'When something may be written: one window as in the limits of an environment, or a list of them.',
      windows,
    ),
  ),
  notify: read.optional(
    read.described(
      'The targets of notify that receive its notifications. Default: all.',
      read.list(read.name, 'a list such as `notify: [chat]`'),
    ),
  ),
};

const options = {
  ...shared,
  after: read.optional(
    read.described(
      'The stacks of this file that have to be in line first.',
      read.list(read.name, 'a list such as `after: [network]`'),
    ),
  ),
  paused: read.optional(
    read.described(
      '{reason, until}: it is not looked at until then, or until you remove this; resume does not end it.',
      paused,
    ),
  ),
  env: read.optional(read.described('As --env.', text)),
  stack: read.optional(read.described('As --stack.', text)),
  gvc: read.optional(read.described('As --gvc.', text)),
  org: read.optional(read.described('As --org.', text)),
  endpoint: read.optional(read.described('Another platform than that of the worker.', text)),
  'token-file': read.optional(read.described('The file of its token.', path)),
  permits: read.optional(
    read.described('As the options of gantry apply, such as {max-deletes: 20, allow-data-loss: 1}.', permitted),
  ),
};

/** The address of a repository; relative paths are on this machine. */
const url = read.map(
  read.described('An address of https or ssh, or the path of a repository on this machine.', read.name),
  (given, at) => {
    const address = parseGitAddress(/^\.{1,2}\//.test(given) ? path.read(given, at) : given);
    if ('why' in address) throw at.bad(`must be ${address.why}`);
    return address;
  },
);

const refName = read.textLike(isRefName, 'a name that git takes');

/** A folder in a repository; empty: its root. */
const inside = read.map(read.name, (given, at) => {
  const normal = posix.normalize(given).replace(/\/+$/, '');
  if (given.startsWith('/') || normal === '..' || normal.startsWith('../') || given.includes('\\')) {
    throw at.bad('must be a path inside of the repository');
  }
  return normal === '.' ? '' : normal;
});

const gitMembers = {
  url,
  branch: read.optional(refName),
  tag: read.optional(refName),
  path: read.optional(read.described('A folder in the repository. Default: the repository itself.', inside)),
};

const example = 'git: {url: https://github.com/acme/infra, branch: main, path: shop}';

const git = read.map(
  read.object(gitMembers, { expected: `an object such as \`${example}\``, example }),
  ({ branch, tag, ...rest }, at) => {
    if (branch !== undefined && tag !== undefined) throw at.bad('names a branch and a tag', 'Leave one of them out.');
    const ref = branch !== undefined ? `refs/heads/${branch}` : tag !== undefined ? `refs/tags/${tag}` : 'HEAD';
    return { ...rest, ref };
  },
);
export type WrittenGit = read.Of<typeof git>;

/** A folder or a repository, with options of its stack or of those that a pattern finds. */
const stackMembers = {
  folder: read.optional(read.described('The folder with its code.', read.name)),
  git: read.optional(
    read.described(
      '{url, branch, tag, path}: the repository with its code. Default: its default branch, and all of it.',
      git,
    ),
  ),
  ...options,
};

function fromOnePlace<T extends { readonly folder?: string; readonly git?: WrittenGit }>(
  reader: read.Reader<T>,
): read.Reader<T> {
  return read.map(reader, (given, at) => {
    if ((given.folder === undefined) === (given.git === undefined)) {
      throw at.bad('needs either folder or git', `An example: folder: stacks/shop; another: ${example}`);
    }
    return given;
  });
}

const stack = fromOnePlace(read.object(stackMembers, { expected: 'an object such as `{folder: stacks/shop}`' }));

const stacks = read.dictionary(stack, {
  name: nameOfStack,
  what: 'the name of a stack: use at most 100 letters, digits, dots, hyphens, underscores and @',
  expected: 'an object such as `stacks: {shop: {folder: stacks/shop}}`',
});

const { stack: _, ...ofSeveral } = stackMembers;
const pattern = fromOnePlace(read.object(ofSeveral, { expected: 'an object such as `{folder: "teams/*"}`' }));
export type WrittenPattern = read.Of<typeof pattern>;

const secrets: read.Reader<readonly SecretReference[]> = {
  schema: { anyOf: [secret.schema, { type: 'array', items: secret.schema }] },
  read: (given, at) => (Array.isArray(given) ? read.list(secret).read(given, at) : [secret.read(given, at)]),
};

/** Gantry's own variables are excluded: they contain its tokens and keys. */
const variable = read.textLike(
  (given) => /^(?!GANTRY_)[A-Za-z_]\w*$/.test(given),
  'the name of a variable that does not begin with GANTRY_',
);

const statuses = read.object(
  {
    forge: read.choice(...forgeNames),
    token: read.described('May write statuses of commits.', secret),
    api: read.optional(
      read.described(
        'Where its API is. Default: https://api.github.com for github.com; else https://HOST/api/v3 (GitHub), https://HOST/api/v4 (GitLab).',
        webAddress,
      ),
    ),
  },
  { expected: 'an object such as `statuses: {forge: github, token: {env: STATUS_TOKEN}}`', isStrict: true },
);

const repository = read.map(
  read.object(
    {
      for: read.described(
        'One repository, or those below: github.com/acme.',
        read.textLike((given) => /^[\w.~/-]+$/.test(given), 'a path such as github.com/acme'),
      ),
      helper: read.optional(
        read.described('A credential helper, as git config credential.helper takes it.', read.name),
      ),
      token: read.optional(read.described('{env} or {file}: a token for https.', secret)),
      user: read.optional(read.described('The user of the token. Default: git.', read.name)),
      'key-file': read.optional(read.described('The private key of ssh.', path)),
      'known-hosts': read.optional(
        read.described('The file with the keys of hosts, which have to be known. Default: that of ssh.', path),
      ),
      variables: read.optional(
        read.described(
          'The variables of the worker that code and manifests see, such as [SHOP_DB_PASSWORD].',
          read.list(variable),
        ),
      ),
      statuses: read.optional(
        read.described('{forge, token, api}: the forge shows at each commit what became of its stacks.', statuses),
      ),
      signers: read.optional(
        read.described('The file with public keys: only commits that one of them has signed count.', path),
      ),
    },
    { example: 'repositories: [{for: github.com/acme, token: {env: GITHUB_TOKEN}}]' },
  ),
  (
    { for: prefix, helper, token, user, 'key-file': keyFile, 'known-hosts': knownHosts, signers, variables, statuses },
    at,
  ) => {
    const given = [helper, token, keyFile].filter((each) => each !== undefined);
    if (given.length > 1) throw at.bad('has more than one of helper, token and key-file', 'Leave one.');
    const credential: CredentialReference | undefined =
      helper !== undefined
        ? { helper }
        : token !== undefined
          ? { token, ...present({ user }) }
          : keyFile !== undefined
            ? { keyFile, ...present({ knownHosts }) }
            : undefined;
    return { prefix, ...present({ credential, signers, variables, statuses }) };
  },
);
export type WrittenRepository = read.Of<typeof repository>;

const webhooks = read.object(Object.fromEntries(webhookForms.map((form) => [form, read.optional(secrets)])), {
  expected: 'an object such as `webhooks: {github: {env: WEBHOOK_SECRET}}`',
});

const events = Object.keys(stackEvents) as StackEvent[];

const notify = read.dictionary(
  read.object(
    {
      to: read.described('The address, or slack: and the address, for a message in the form of Slack.', secret),
      secret: read.optional(read.described('What notifications are signed with (Standard Webhooks).', secret)),
      events: read.optional(
        read.described(
          'The events to send. Default: all.',
          read.list(read.choice(...events), 'a list such as `events: [failed, recovered]`'),
        ),
      ),
    },
    { expected: 'an object such as `{to: {env: CHAT_HOOK}}`' },
  ),
  {
    name: /^[A-Za-z0-9][\w.-]{0,49}$/,
    what: 'the name of a target: use at most 50 letters, digits, dots, hyphens and underscores',
    expected: 'an object such as `notify: {chat: {to: {env: CHAT_HOOK}}}`',
  },
);

const listed = {
  defaults: read.optional(
    read.described('What counts for every stack that does not say it itself.', read.object(shared)),
  ),
  stacks: read.optional(read.described('Each stack by its name.', stacks)),
  patterns: read.optional(
    read.described(
      'Every folder with gantry.yaml that matches is a stack: folder, or path of git, is a pattern such as teams/*.',
      read.list(pattern),
    ),
  ),
};

const list = read.object(listed);
/** The part of the file that may be in a repository. */
export type WrittenList = read.Of<typeof list>;

const issuer = read.map(webAddress, ({ href, pathname, search, hash }, at) => {
  if (search !== '' || hash !== '' || pathname.includes('/.well-known/')) {
    throw at.bad('must be the issuer as it calls itself, without /.well-known, ? and #');
  }
  return href;
});

const claimName = /^[^\s"\\]{1,200}$/;
const texts = read.list(read.name, 'a list of texts', { least: 1 });
const roleExample = 'approve: {groups: [platform], email: [ann@example.com]}';

const rule: read.Reader<RoleRule> = read.dictionary(texts, {
  name: claimName,
  what: 'the name of a claim',
  expected: `an object such as \`${roleExample}\``,
});

const readers: read.Reader<RoleRule | 'all'> = {
  schema: { anyOf: [{ const: 'all' }, rule.schema] },
  read: (given, at) => (given === 'all' ? 'all' : rule.read(given, at)),
};

const domain = read.map(
  read.textLike((given) => /^[\w-]+(\.[\w-]+)+$/.test(given), 'a domain such as example.com'),
  (given) => given.toLowerCase(),
);

const usualSession = 8 * 60 * 60_000;
const session = read.map(duration, (ms, at) => {
  if (ms < 60_000 || ms > 7 * 24 * 60 * 60_000) throw at.bad('must be from 1m to 7d');
  return ms;
});

/** The sign-in to the page. */
const signIn: read.Reader<SignInSettings> = read.map(
  read.object(
    {
      issuer: read.described('The provider, as it calls itself: https, or http on this machine.', issuer),
      'client-id': read.described('The client that you have registered.', read.name),
      'client-secret': read.optional(
        read.described('Its secret, {env: NAME} or {file: PATH}, read each time. Absent: a public client.', secret),
      ),
      url: read.optional(
        read.described(
          'The origin at which browsers reach the page. Default: url of the file. Not needed on loopback.',
          origin,
        ),
      ),
      roles: read.described(
        '{approve, read}: claims of the ID token, and the values that give the role; one match is enough. read: all is everybody in domains.',
        read.object(
          { approve: read.optional(rule), read: read.optional(readers) },
          { expected: `an object such as \`roles: {${roleExample}}\``, isStrict: true },
        ),
      ),
      domains: read.optional(
        read.described(
          'Only people with a verified e-mail address in one of these.',
          read.list(domain, 'a list such as `domains: [example.com]`', { least: 1 }),
        ),
      ),
      name: read.optional(
        read.described(
          'The claim that approvals and history show: take one that people cannot change. Default: the verified address, else the subject.',
          read.textLike((given) => claimName.test(given), 'the name of a claim'),
        ),
      ),
      scopes: read.optional(
        read.described(
          'Asked for beside openid. Default: [email, profile].',
          read.list(read.textLike((given) => /^[\x21\x23-\x5b\x5d-\x7e]+$/.test(given), 'a scope')),
        ),
      ),
      session: read.optional(read.described('After this time people sign in again: 1m to 7d. Default: 8h.', session)),
    },
    // A restriction must not be omitted by mistake.
    {
      isStrict: true,
      example: 'sign-in: {issuer: https://login.example.com, client-id: gantry, roles: {read: {groups: [staff]}}}',
    },
  ),
  (given, at) => {
    const { issuer: from, url: page, name: called, domains, scopes = ['email', 'profile'] } = given;
    const { approve = new Map(), read: readBy = new Map() } = given.roles;
    if (approve.size === 0 && readBy !== 'all' && readBy.size === 0) {
      throw at.key('roles').bad('gives nobody a role', `An example: ${roleExample}`);
    }
    if (readBy === 'all' && domains === undefined) {
      throw at.key('roles').key('read').bad('needs domains beside it: many issuers sign in everybody who asks');
    }
    return {
      ...{ issuer: from, clientId: given['client-id'], roles: { approve, read: readBy } },
      ...{ scopes: [...new Set(['openid', ...scopes])], sessionMs: given.session ?? usualSession },
      ...present({ clientSecret: given['client-secret'], url: page, name: called, domains }),
    };
  },
);

const ofWorker = {
  name: read.optional(
    read.described(
      'Workers whose lists have the same name share a store, wherever their files are. Default: the path of the file.',
      read.textLike(isStackName, 'a name of at most 100 letters, digits, dots, hyphens, underscores and @'),
    ),
  ),
  follow: read.optional(
    read.described(
      'The repository in which the file with the stacks is; it is followed. This file says the rest.',
      read.object(
        {
          git: read.described('The repository.', git),
          file: read.optional(read.described('The file in it. Default: reconcile.yaml.', inside)),
          ...followBounds,
        },
        { example: `follow: {${example}}` },
      ),
    ),
  ),
  repositories: read.optional(
    read.described(
      'How repositories are reached, and whose commits count; the longest "for" that fits counts.',
      read.list(repository),
    ),
  ),
  webhooks: read.optional(read.described('The secrets of webhooks, by their form.', webhooks)),
  notify: read.optional(read.described('Notification targets, by name.', notify)),
  url: read.optional(
    read.described(
      'Where browsers reach the page, such as https://fleet.example.com: notifications link to it.',
      origin,
    ),
  ),
  'sign-in': read.optional(read.described('How people sign in to the page: OpenID Connect.', signIn)),
  'requests-per-second': read.optional(
    read.described(
      'To one endpoint, of all workers together. Default: no limit but that of the platform.',
      read.number({ least: 0.1 }),
    ),
  ),
  'keep-runs': read.optional(read.described('How long the history of runs is kept. Default: 30d.', duration)),
};

/** The file that starts a worker. */
export const reconcileForm = read.object({ ...listed, ...ofWorker });

/**
 * For settings that open files, credentials or platforms on this machine: not permitted to people who may push to a
 * repository.
 */
function onlyOfWorker<T>(reader: read.Reader<T>): read.Optional<T> {
  return read.optional({
    ...reader,
    read(_given, at) {
      throw at.bad('is allowed only in the file that the worker is started with');
    },
  });
}

const followedOptions = { endpoint: onlyOfWorker(text), 'token-file': onlyOfWorker(path) };

/** The form for a file in a repository. */
export const followedForm = read.object({
  ...listed,
  stacks: read.optional(
    read.dictionary(fromOnePlace(read.object({ ...stackMembers, ...followedOptions })), {
      name: nameOfStack,
      what: 'the name of a stack',
    }),
  ),
  patterns: read.optional(read.list(fromOnePlace(read.object({ ...ofSeveral, ...followedOptions })))),
  name: onlyOfWorker(ofWorker.name),
  follow: onlyOfWorker(ofWorker.follow),
  repositories: onlyOfWorker(ofWorker.repositories),
  webhooks: onlyOfWorker(ofWorker.webhooks),
  notify: onlyOfWorker(ofWorker.notify),
  url: onlyOfWorker(ofWorker.url),
  'sign-in': onlyOfWorker(ofWorker['sign-in']),
  'requests-per-second': onlyOfWorker(ofWorker['requests-per-second']),
  'keep-runs': onlyOfWorker(ofWorker['keep-runs']),
});

/** The JSON Schema of `reconcile.yaml`. */
export const reconcileSchema: JsonObject = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: 'gantry/reconcile.json',
  title: 'Stacks that gantry reconcile keeps in line: reconcile.yaml',
  ...reconcileForm.schema,
};
