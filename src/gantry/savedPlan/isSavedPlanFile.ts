import { beginningBytes, isSavedPlan } from '../../change/isSavedPlan.ts';
import { openRegular } from '../../project/files/readBytes.ts';

/** False for folders, manifests, and what is not there: that is for the inputs to report. */
export async function isSavedPlanFile(path: string): Promise<boolean> {
  const opened = await openRegular(path).catch(() => undefined);
  if (opened === undefined) return false;
  const { file } = opened;
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(beginningBytes), 0, beginningBytes, 0);
    return isSavedPlan(buffer.toString('utf8', 0, bytesRead));
  } finally {
    await file.close();
  }
}
