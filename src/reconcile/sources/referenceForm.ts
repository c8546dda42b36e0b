import * as read from '../../base/form/read.ts';
import { leadsToLoopback } from '../../base/text/hostName.ts';
import { path } from '../../project/settings/setting.ts';
import type { SecretReference } from '../model.ts';

/** Where a secret is. */
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

/** Of https; of http on this machine alone, where nobody can listen. */
export const webAddress = read.converted(
  (given) => {
    const url = typeof given === 'string' ? URL.parse(given) : null;
    return url !== null && (url.protocol === 'https:' || onThisMachine(url)) && url.username === '' ? url : undefined;
  },
  'an address of https, or of http on this machine',
  { type: 'string' },
);

/** Where browsers reach the page. */
export const origin = read.map(webAddress, ({ href, origin: own }, at) => {
  if (href !== `${own}/`) throw at.bad('must have no path: the page begins at the root of its host');
  return own;
});
