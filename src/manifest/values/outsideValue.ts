import { isArray, isObject, type JsonObject, type JsonValue, own } from '../../base/json/json.ts';

/** Where a value comes from that is not written in the manifest. */
export type OutsideSource = (
  | { readonly from: 'env'; readonly name: string }
  /** As written: relative to the folder of the manifest. */
  | { readonly from: 'file'; readonly path: string }
  | { readonly from: 'command'; readonly command: readonly string[] }
) & {
  /** The bytes are wanted in base64; else they are text. */
  readonly base64: boolean;
};

const sources: readonly string[] = ['fromEnv', 'fromFile', 'fromCommand'];

/** An object that names a source: `{fromEnv: NAME}`, `{fromFile: PATH}`, `{fromCommand: [...]}`. */
export function namesSource(value: JsonValue | undefined): value is JsonObject {
  return isObject(value) && Object.keys(value).some((key) => sources.includes(key));
}

/** The source that such an object names, or its problem. */
export function parseSource(value: JsonObject): OutsideSource | { readonly problem: string } {
  const { base64 = false } = value;
  const [source, ...others] = Object.keys(value).filter((key) => key !== 'base64');
  if (others.length > 0 || source === undefined) {
    return { problem: 'beside fromEnv, fromFile or fromCommand only base64 may stand' };
  }
  if (typeof base64 !== 'boolean') return { problem: 'base64 must be true or false' };
  const said = own(value, source);
  switch (source) {
    case 'fromEnv':
      return typeof said === 'string' ? fromEnv(said, base64) : { problem: 'fromEnv must be the name of a variable' };
    case 'fromFile': {
      const isPath = typeof said === 'string' && said !== '' && !said.includes('\0');
      return isPath ? { from: 'file', path: said, base64 } : { problem: 'fromFile must be the path of a file' };
    }
    default: {
      const command = isArray(said) ? said.filter((part) => typeof part === 'string' && !part.includes('\0')) : [];
      const isCommand = isArray(said) && command.length === said.length && (command[0] ?? '') !== '';
      return isCommand
        ? { from: 'command', command: command.map(String), base64 }
        : { problem: 'fromCommand must be a list of a program and its arguments' };
    }
  }
}

function fromEnv(name: string, base64: boolean): OutsideSource | { readonly problem: string } {
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) return { problem: 'fromEnv must be the name of a variable' };
  // They contain the token and the key of Gantry itself.
  if (/^GANTRY_/i.test(name)) return { problem: 'variables that begin with GANTRY_ are not handed to manifests' };
  return { from: 'env', name, base64 };
}
