/** The settings of a project folder. */
export const settingsFileName = 'gantry.yaml';
/** Beside it: what `gantry doctor --out` found of the platform, for all who work on the project. */
export const platformFileName = 'gantry.platform.json';
