import type { UnitOfWork } from '../../core/session.ts';
import type { ApiReply } from '../../http/message.ts';
import type { Row } from '../../store/model/row.ts';
import { Presenter } from './presenter.ts';

/** The reply that shows one record. */
export function shownReply({ platform, tx }: UnitOfWork, row: Row): ApiReply {
  return { status: 200, body: new Presenter(platform, tx).text(row) };
}
