import { ToolError } from '../base/toolError.ts';

/** The target of notifications. The URL is a secret, because it permits to post there. */
export interface Hook {
  readonly url: URL;
  readonly form: 'json' | 'slack';
  /** The displayable part, such as `https://hooks.slack.com/…`. */
  readonly shown: string;
}

const slackHost = 'hooks.slack.com';

/**
 * `URL`, or `slack:URL` for Slack's format, the default for Slack's host. Errors: `notify.address`, without the URL.
 */
export function parseHook(text: string): Hook {
  const isMarked = text.startsWith('slack:');
  const address = isMarked ? text.slice('slack:'.length) : text;
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw bad('an address to notify is not a URL that begins with https:// or http://');
  }
  if (url.username !== '' || url.password !== '') throw bad('an address to notify holds a user or a password');
  const form = isMarked || url.hostname === slackHost ? 'slack' : 'json';
  return { url, form, shown: `${url.origin}/…` };
}

/** The URLs in `GANTRY_NOTIFY`. */
export function addressesIn(text: string | undefined): readonly string[] {
  return (text ?? '').split(/\s+/).filter((each) => each !== '');
}

function bad(message: string): ToolError {
  return new ToolError({
    code: 'notify.address',
    message,
    hint: 'Give --notify https://HOST/PATH or --notify slack:https://HOST/PATH, or GANTRY_NOTIFY with such addresses.',
  });
}
