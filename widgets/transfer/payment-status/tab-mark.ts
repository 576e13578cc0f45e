/** The title of the tab: the page's own title, the title with the mark, and how many cards show the mark. */
const tab = {before: '', marked: '', marks: 0};

/** Shows in the title of the tab that the order is paid. @returns A function that restores the title. */
export function markTab(mark: string): () => void {
  if (tab.marks++ === 0) {
    tab.before = document.title;
    document.title = [`✓ ${mark}`, tab.before].filter(Boolean).join(' · ');
    // The browser may have changed the white space.
    tab.marked = document.title;
  }
  return () => {
    if (--tab.marks === 0 && document.title === tab.marked) document.title = tab.before;
  };
}
