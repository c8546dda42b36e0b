import type { JsonObject } from '../../base/json/json.ts';
import { printable } from '../../terminal/printable.ts';
import type { Terminal } from '../../terminal/terminal.ts';
import type { Watching } from './api.ts';

interface Watched {
  readonly options: { readonly verbose?: boolean; readonly debug?: boolean };
  readonly terminal: Pick<Terminal, 'message'>;
}

/** Requests on standard error: one line each with `--verbose`, bodies too with `--debug`; never those of secrets. */
export function watchingOn({ options: { verbose, debug }, terminal }: Watched): Watching | undefined {
  if (verbose !== true && debug !== true) return undefined;
  let isSecret = false;
  function body(record: JsonObject): string {
    return isSecret ? '(not shown)' : JSON.stringify(record);
  }
  return {
    request(method, path, sent) {
      isSecret = /\/secret(?:\/|$)|-addKey$/.test(path);
      terminal.message(`> ${method} ${printable(path)}`);
      if (debug === true && sent !== undefined) terminal.message(`> ${printable(body(sent))}`);
    },
    reply(record) {
      if (debug === true) terminal.message(`< ${printable(body(record))}`);
    },
  };
}
