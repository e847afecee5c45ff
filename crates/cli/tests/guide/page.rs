//! A page of Markdown as the tests see it: fenced blocks, headings, links, and code in running text.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// A fenced block: what stands after the opening fence, and the lines up to the closing one.
pub struct Block {
    pub info: String,
    /// The number of the first line inside, counted from 0.
    pub first: usize,
    pub lines: Vec<String>,
}

impl Block {
    /// The language, the part of the first word before a comma.
    pub fn language(&self) -> &str {
        self.info.split([' ', ',']).next().unwrap_or_default()
    }

    /// `holo,error=CODE`: the code that a model is meant to get.
    pub fn error(&self) -> Option<&str> {
        self.info.split([' ', ',']).find_map(|word| word.strip_prefix("error="))
    }

    /// ```` ```holo mine.holo ````: the file that this block is.
    pub fn file(&self) -> Option<&str> {
        self.info.split(' ').nth(1)
    }

    pub fn text(&self) -> String {
        self.lines.iter().map(|line| format!("{line}\n")).collect()
    }
}

/// A link or an image, with the line on which it stands, counted from 1.
pub struct Link {
    pub line: usize,
    pub text: String,
    pub target: String,
    pub image: bool,
}

pub struct Page {
    pub path: PathBuf,
    pub lines: Vec<String>,
    pub blocks: Vec<Block>,
}

impl Page {
    pub fn read(path: &Path) -> Self {
        let text = fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        Self::new(path, &text)
    }

    fn new(path: &Path, text: &str) -> Self {
        let lines: Vec<String> = text.lines().map(str::to_string).collect();
        let (mut blocks, mut open): (Vec<Block>, Option<Block>) = (vec![], None);
        for (number, line) in lines.iter().enumerate() {
            match (&mut open, line.strip_prefix("```")) {
                (Some(_), Some(_)) => blocks.extend(open.take()),
                (Some(block), None) => block.lines.push(line.clone()),
                (None, Some(info)) => {
                    open = Some(Block { info: info.trim().into(), first: number + 1, lines: vec![] });
                }
                (None, None) => {}
            }
        }
        assert!(open.is_none(), "{}: a block is not closed", path.display());
        Self { path: path.into(), lines, blocks }
    }

    /// The lines outside of blocks, with their numbers, counted from 1.
    pub fn prose(&self) -> impl Iterator<Item = (usize, &str)> {
        let fenced = |line: usize| {
            self.blocks.iter().any(|block| (block.first..=block.first + block.lines.len() + 1).contains(&line))
        };
        let numbered = self.lines.iter().enumerate().map(|(number, line)| (number + 1, line.as_str()));
        numbered.filter(move |(number, _)| !fenced(*number))
    }

    /// What can stand after `#` in a link to this page, as code hosts and mdBook make it of headings.
    pub fn anchors(&self) -> Vec<String> {
        let mut seen: BTreeMap<String, usize> = BTreeMap::new();
        let headings = self.prose().filter(|(_, line)| line.starts_with('#'));
        headings
            .map(|(_, line)| {
                let slug = slug(line.trim_start_matches('#').trim());
                let count = seen.entry(slug.clone()).or_default();
                *count += 1;
                if *count == 1 { slug } else { format!("{slug}-{}", *count - 1) }
            })
            .collect()
    }

    pub fn links(&self) -> Vec<Link> {
        let mut links = vec![];
        for (line, text) in self.prose() {
            let open = without_code(text);
            for (at, _) in open.match_indices("](") {
                let Some(length) = open[at + 2..].find(')') else { continue };
                let Some(begin) = open[..at].rfind('[') else { continue };
                links.push(Link {
                    line,
                    text: text[begin + 1..at].into(),
                    target: open[at + 2..at + 2 + length].into(),
                    image: open[..begin].ends_with('!'),
                });
            }
        }
        links
    }
}

/// Letters and digits in lower case, blanks as hyphens, and nothing else but hyphens and underscores.
fn slug(heading: &str) -> String {
    let kept = heading.chars().filter(|c| c.is_alphanumeric() || " -_".contains(*c));
    kept.flat_map(char::to_lowercase).map(|c| if c == ' ' { '-' } else { c }).collect()
}

/// A line with what stands between backticks blotted out, byte for byte, so that places stay what they are.
fn without_code(line: &str) -> String {
    let mut inside = false;
    let blot = |c: char| {
        if c == '`' {
            inside = !inside;
        }
        if inside || c == '`' { "`".repeat(c.len_utf8()) } else { c.to_string() }
    };
    line.chars().map(blot).collect()
}

#[test]
fn pages_are_read_as_they_are_shown() {
    let page = Page::new(
        Path::new("page.md"),
        "# One `x'` (2)\n[a](b.md#c) and `[no](link)`, ![p](q.svg)\n```holo,error=not-unique m.holo\ncoord x\n# no heading\n```\n# One x 2\n",
    );
    assert_eq!(page.anchors(), ["one-x-2", "one-x-2-1"]);
    let links: Vec<_> = page.links().into_iter().map(|link| (link.text, link.target, link.image)).collect();
    assert_eq!(links, [("a".into(), "b.md#c".into(), false), ("p".into(), "q.svg".into(), true)]);
    let block = &page.blocks[0];
    assert_eq!((block.language(), block.error(), block.file()), ("holo", Some("not-unique"), Some("m.holo")));
    assert_eq!(block.text(), "coord x\n# no heading\n");
    assert_eq!(page.prose().map(|(line, _)| line).collect::<Vec<_>>(), [1, 2, 7]);
}
