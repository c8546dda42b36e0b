/** A place in a document: names of members and positions in lists, from the outside in. */
export type Pointer = readonly (string | number)[];
