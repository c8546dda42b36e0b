import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { JsonValue } from '../../base/json/json.ts';
import { readState } from '../../hcl/values/readState.ts';

/** The address of a resource in a state file. */
export interface Holder {
  /** `module.shop.gantry_workload.web["eu"]` */
  readonly address: string;
  readonly file: string;
}

export interface LocalStates {
  /**
   * The resource with this id in a state of the working folder: that of this configuration, of a workspace, or one that
   * `-state` named. States elsewhere are not searched.
   */
  holderOf(uid: string): Promise<Holder | undefined>;
  /** The same in a backup that Terraform keeps beside a state: who had it before the last run that changed the state. */
  formerHolderOf(uid: string): Promise<Holder | undefined>;
}

export function localStates(cwd: string): LocalStates {
  const read = new Map<string, ReadFile>();
  const holderIn = (ending: string) => async (uid: string) => {
    for (const file of await stateFiles(cwd, ending)) {
      const path = join(cwd, file);
      const found = await readAgain(path, read.get(path));
      read.set(path, found);
      const address = found.addresses.get(uid);
      if (address !== undefined) return { address, file };
    }
    return undefined;
  };
  return { holderOf: holderIn('.tfstate'), formerHolderOf: holderIn('.tfstate.backup') };
}

interface ReadFile {
  /** Changes with every write. */
  readonly stamp: string;
  readonly addresses: ReadonlyMap<string, string>;
}

async function readAgain(path: string, before: ReadFile | undefined): Promise<ReadFile> {
  const stamp = await stat(path).then(
    ({ mtimeMs, size, ino }) => `${mtimeMs} ${size} ${ino}`,
    () => '',
  );
  return stamp === before?.stamp ? before : { stamp, addresses: await addresses(path) };
}

async function stateFiles(cwd: string, ending: string): Promise<readonly string[]> {
  const named = async (folder: string): Promise<readonly string[]> => readdir(join(cwd, folder)).catch(() => []);
  const workspaces = (await named(workspaceFolder)).map((name) => join(workspaceFolder, name, `terraform${ending}`));
  return [...(await named('.')).filter((name) => name.endsWith(ending)), ...workspaces].sort();
}

const workspaceFolder = 'terraform.tfstate.d';

/** By the id of their record. */
async function addresses(path: string): Promise<ReadonlyMap<string, string>> {
  try {
    const state: JsonValue = JSON.parse(await readFile(path, 'utf8'));
    const read = readState(state);
    if (!('resources' in read)) return new Map();
    return new Map(
      read.resources.flatMap(({ address, values: { id } }) => (typeof id === 'string' ? [[id, address] as const] : [])),
    );
  } catch {
    return new Map(); // it is being written, or is not a state
  }
}
