/** The sheet of each kind that `schema/record/kinds.ts` names: the generator lists their folders. */
export { sheets } from '#kinds';
