/** A place in a document: names of members and positions in lists, from the outside in. */
export type Pointer = readonly (string | number)[];

/** Whether a place equals another one, or is inside it. */
export function isWithin(pointer: Pointer, place: Pointer): boolean {
  return place.every((step, index) => pointer[index] === step);
}
