import type { Position } from '../../../manifest/model/manifest.ts';

/** Nobody wrote it: it stands for the kept record. */
export const nowhere: Position = { file: '(what was live before)', line: 1, column: 1 };
