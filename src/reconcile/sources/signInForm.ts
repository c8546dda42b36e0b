import * as read from '../../base/form/read.ts';
import { present } from '../../base/json/present.ts';
import { duration } from '../../project/settings/setting.ts';
import type { RoleRule, SignInSettings } from '../model.ts';
import { origin, secret, webAddress } from './referenceForm.ts';

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

/** How people sign in to the page. */
export const signIn: read.Reader<SignInSettings> = read.map(
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
    // What restricts must not be left out by mistake.
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
