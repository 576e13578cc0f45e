// A folder above has a lock file too, so the root is named.
export default {turbopack: {root: import.meta.dirname}};
