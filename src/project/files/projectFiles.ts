import { join } from 'node:path';
import { exists } from './exists.ts';

/** The settings of a project folder. */
export const settingsFileName = 'gantry.yaml';
/** Beside it: what `gantry doctor --out` found of the platform, for all who work on the project. */
export const platformFileName = 'gantry.platform.json';

/** The file of the folder with what is known of its platform, if there is one. */
export async function platformFileIn(folder: string): Promise<string | undefined> {
  const found = join(folder, platformFileName);
  return (await exists(found)) ? found : undefined;
}
