export function removeOtherPages(root: string): void;
