import { isContainer } from '../../schema/record/kinds.ts';
import { policy } from '../model/policy.ts';

/** The platform itself refuses to delete what is protected. */
export const dataProtected = policy({
  id: 'data-protected',
  about: 'Every volume set is protected from deletion.',
  kind: 'volumeset',
  resource({ lifecycle }) {
    if (lifecycle?.protect === true) return [];
    const fix = 'Set lifecycle.protect: true; it is lifted by applying false first.';
    return [{ message: 'its data can be deleted by one mistake', path: 'lifecycle.protect', fix }];
  },
});

/** No plan takes data along: what has to go is let go of first, with an exception. */
export const dataKept = policy({
  id: 'data-kept',
  about: 'No plan deletes a GVC, or anything that holds data.',
  plan({ changes }) {
    return changes.flatMap(({ id, action, intended = action, kind, losesData = [] }) => {
      const fix = 'Keep it, or write an exception for it.';
      if (intended === 'delete' && isContainer(kind)) {
        return [{ message: 'the GVC would be deleted with everything in it', resource: id, fix }];
      }
      return losesData.map((lost) => ({ message: `the data of ${lost} would be lost`, resource: id, fix }));
    });
  },
});
