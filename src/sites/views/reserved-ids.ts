/** Begins the ids of the frame. The content of a page may not use them: all other ids belong to its author. */
export const RESERVED_IDS = 'docloom-';
