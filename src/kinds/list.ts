/** The sheets of all kinds in `schema/record/kinds.ts`; the generator lists their folders. */
export { sheets } from '#kinds';
