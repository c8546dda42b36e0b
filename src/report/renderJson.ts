import { jsonText } from '../base/json/jsonText.ts';
import type { Report } from './model/report.ts';

/** What `-o json` prints, byte by byte. */
export function renderJson({ document }: Report): string {
  return `${jsonText(document)}\n`;
}
