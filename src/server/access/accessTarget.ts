import type { JsonObject } from '../../base/json/json.ts';
import type { Kind } from '../../schema/record/kinds.ts';
import { linkOf, type Ref } from '../../schema/record/ref.ts';
import { refsOfRow } from '../core/rows.ts';
import type { UnitOfWork } from '../core/session.ts';
import { Presenter } from '../records/shown/presenter.ts';
import type { Row } from '../store/model/row.ts';
import type { Target } from './decisions/grants.ts';

/** A record to be created, or a record without a row. */
export interface UnstoredRecord {
  readonly kind: Kind;
  readonly ref: Ref;
  readonly record: JsonObject;
}

/** The target for policies. `presenter` can be shared by the rows of one request. */
export function targetOf({ platform, tx }: UnitOfWork, subject: Row | UnstoredRecord, presenter?: Presenter): Target {
  if ('seq' in subject) return targetOfRow(subject, platform.org, presenter ?? new Presenter(platform, tx));
  const { kind, ref, record } = subject;
  const link = linkOf(ref, platform.org);
  const fields = { kind, links: [{ rel: 'self', href: link }], ...record };
  return { links: [link], candidate: () => ({ fields, gvc: ref.gvc ?? '' }) };
}

function targetOfRow(row: Row, org: string, presenter: Presenter): Target {
  return {
    links: refsOfRow(row).map((ref) => linkOf(ref, org)),
    candidate: (withStatus) => presenter.candidate(row, withStatus),
  };
}
