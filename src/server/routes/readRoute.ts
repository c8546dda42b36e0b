import { linkOf } from '../../schema/links.ts';
import type { Ref } from '../../schema/ref.ts';
import { notFound } from '../http/apiFailure.ts';
import type { ApiReply } from '../http/message.ts';
import { findRow } from './findRow.ts';
import type { Platform } from './platform.ts';
import { Presenter } from './presenter.ts';

/** GET of one record; one that is being deleted is shown too (protocol 3.2). */
export function read(platform: Platform, ref: Ref): ApiReply {
  const body = platform.store.read((tx) => {
    const row = findRow(tx, ref) ?? tx.leaving(ref);
    if (row === undefined) throw notFound(linkOf(ref, platform.org));
    return new Presenter(platform, tx).text(row);
  });
  return { status: 200, body };
}
