import type { Risk } from '../../schema/facts/risk.ts';
import type { Palette } from '../../terminal/palette.ts';

/** The colour of each risk. A risk without an entry does not compile. */
const paints: Readonly<Record<Risk, keyof Palette>> = {
  none: 'faint',
  metadata: 'faint',
  'cost-up': 'change',
  'rolling-restart': 'change',
  reschedule: 'change',
  'capacity-down': 'remove',
  'endpoint-change': 'replace',
  exposure: 'remove',
  downtime: 'remove',
  'data-loss': 'refuse',
};

/** The word in its colour; undefined where there is nothing to say. */
export function renderRisk(risk: Risk | undefined, palette: Palette): string | undefined {
  return risk === undefined || risk === 'none' ? undefined : palette[paints[risk]](risk);
}
