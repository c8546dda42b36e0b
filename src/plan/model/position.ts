import { count, object, text } from '../../base/form/form.ts';

/** Where something is written: lines and columns from 1. */
export const positionForm = object({ file: text, line: count, column: count });
