/** The settings of a project folder. */
export const settingsFileName = 'gantry.yaml';
