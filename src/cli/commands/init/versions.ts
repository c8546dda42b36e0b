/** The versions that a new project installs: those that Gantry itself is tested with, which a test compares. */
export const versions = {
  constructs: '10.8.1',
  node: '24.21.0',
  typescript: '7.0.2',
  '@types/node': '24.19.2',
} as const;
