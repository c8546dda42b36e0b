import { limits } from '../text/limits.ts';

/** What is wrong with a reference. */
export interface FillFault {
  readonly rule: string;
  readonly message: string;
  readonly hint: string;
}

/** A text that grew beyond what a value may be. */
export function tooLong(): FillFault {
  return tooMuch('manifest.too-long', `one value has more than ${limits.scalarLength} characters`);
}

export function tooMuch(rule: string, message: string): FillFault {
  return { rule, message, hint: 'Write shorter values, or refer to large ones less often.' };
}
