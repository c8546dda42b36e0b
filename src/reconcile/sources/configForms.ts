import * as read from '../../base/form/read.ts';
import { compact } from '../../base/json/present.ts';
import { leadsToLoopback } from '../../base/text/hostName.ts';
import { flagOf, type PermitName, type Permits, permitNames, permits } from '../../plan/model/permits.ts';
import { path } from '../../project/settings/setting.ts';
import { type Mode, modes, type SecretReference } from '../model.ts';

export const mode: read.Reader<Mode> = read.choice(...modes);

/** Like the options of `gantry apply`, without their hyphens. */
export const permitted = read.map(
  read.object(
    Object.fromEntries(permitNames.map((each) => [flagOf(each).slice(2), read.optional<unknown>(permits[each])])),
  ),
  (given): Partial<Permits> => {
    const byFlag = new Map<string, unknown>(Object.entries(given));
    return Object.fromEntries(
      compact(permitNames, (each: PermitName) => {
        const value = byFlag.get(flagOf(each).slice(2));
        return value === undefined ? undefined : [each, value];
      }),
    );
  },
);

/** The limits of stacks in a repository's file: people who may push to it may not be those who run the worker. */
export const followBounds = {
  modes: read.optional(
    read.described('The modes that its stacks may have, such as [detect, propose]. Default: all.', read.list(mode)),
  ),
  orgs: read.optional(
    read.described(
      'The orgs that its stacks may be in, whatever gantry.yaml says. Default: --org of the worker, else all of its token.',
      read.list(read.name),
    ),
  ),
  permits: read.optional(
    read.described(
      'The permits that its stacks may have, such as [adopt, max-deletes]. Default: none.',
      read.list(
        read.choice(...permitNames.filter((each) => 'default' in permits[each]).map((each) => flagOf(each).slice(2))),
      ),
    ),
  ),
};
/** The limits as read. */
export type FollowBounds = { readonly [Name in 'modes' | 'permits']?: read.Of<(typeof followBounds)[Name]> };

/** The first permit that loosens a default and is not allowed here. */
export function loosened(given: Partial<Permits>, allowed: readonly string[]): string | undefined {
  return permitNames
    .filter((each) => {
      const { default: usual }: { readonly default?: unknown } = permits[each];
      const value = given[each];
      return typeof usual === 'number' ? Number(value ?? 0) > usual : usual === false && value === true;
    })
    .map((each) => flagOf(each).slice(2))
    .find((name) => !allowed.includes(name));
}

/** The source of a secret. */
export const secret: read.Reader<SecretReference> = read.map(
  read.object(
    { env: read.optional(read.name), file: read.optional(path) },
    { expected: 'an object such as `{env: NAME}` or `{file: PATH}`' },
  ),
  ({ env, file }, at) => {
    if (env !== undefined && file === undefined) return { env };
    if (file !== undefined && env === undefined) return { file };
    throw at.bad('must be {env: NAME} or {file: PATH}');
  },
);

const onThisMachine = (url: URL) => url.protocol === 'http:' && leadsToLoopback(url);

/** An https address; http only on this machine, where traffic cannot be read by others. */
export const webAddress = read.converted(
  (given) => {
    const url = typeof given === 'string' ? URL.parse(given) : null;
    return url !== null && (url.protocol === 'https:' || onThisMachine(url)) && url.username === '' ? url : undefined;
  },
  'an address of https, or of http on this machine',
  { type: 'string' },
);

/** The origin of the page for browsers. */
export const origin = read.map(webAddress, ({ href, origin: own }, at) => {
  if (href !== `${own}/`) throw at.bad('must have no path: the page begins at the root of its host');
  return own;
});
