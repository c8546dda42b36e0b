import { join } from 'node:path';
import { exists } from './exists.ts';

/** The settings of a project folder. */
export const settingsFileName = 'gantry.yaml';
/** Next to it: the findings of `gantry doctor --out` about the platform, for everyone who works on the project. */
export const platformFileName = 'gantry.platform.json';

/** The folder's file with findings about its platform, if it exists. */
export async function platformFileIn(folder: string): Promise<string | undefined> {
  const found = join(folder, platformFileName);
  return (await exists(found)) ? found : undefined;
}
