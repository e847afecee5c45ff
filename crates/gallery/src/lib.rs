//! The gallery, embedded in the program: its models and the pages that describe them.

/// Models that are there for their verdict, with its code: they do not run.
const DIAGNOSES: [(&str, &str); 3] = [
    ("virtual-particle", "not-unique"),
    ("contradiction", "contradiction"),
    ("redundant/contradiction", "contradiction"),
];

/// Files that describe parts of other models, and are none by themselves.
const PARTS: [&str; 1] = ["two-arms/arm"];

/// The page that lists the entries by theme.
const LIST: &str = include_str!("../../../gallery/README.md");

/// An entry: a folder of the gallery.
#[derive(Clone, Copy, Debug)]
pub struct GalleryEntry {
    /// The name of the folder.
    pub name: &'static str,
    /// Its files: paths below the folder, with `/` between their parts, and texts.
    pub files: &'static [(&'static str, &'static str)],
}

/// A model of the gallery.
#[derive(Clone, Copy, Debug)]
pub struct GalleryModel {
    /// Where it belongs.
    pub entry: &'static GalleryEntry,
    /// Its file in the folder of the entry.
    pub file: &'static str,
    /// Its text.
    pub text: &'static str,
    /// The code of the message that it is there to show, if it does not run.
    pub diagnosis: Option<&'static str>,
}

/// All entries, in the order of their names.
pub const ENTRIES: &[GalleryEntry] = include!(concat!(env!("OUT_DIR"), "/entries.rs"));

impl GalleryEntry {
    /// The story.
    pub fn story(&self) -> &'static str {
        self.file("README.md").unwrap_or_default()
    }

    /// The title of the story.
    pub fn title(&self) -> &'static str {
        self.story().lines().next().unwrap_or_default().trim_start_matches("# ")
    }

    /// One sentence that says what it shows: the first paragraph of the story.
    pub fn summary(&self) -> String {
        let lines = self.story().lines().skip(1).skip_while(|line| line.trim().is_empty());
        let paragraph: Vec<&str> = lines.take_while(|line| !line.trim().is_empty()).collect();
        paragraph.join(" ")
    }

    /// The text of a file.
    pub fn file(&self, path: &str) -> Option<&'static str> {
        self.files.iter().find(|(name, _)| *name == path).map(|(_, text)| *text)
    }

    /// Its models, the one of its own name first.
    pub fn models(&'static self) -> Vec<GalleryModel> {
        let own = format!("{}.holo", self.name);
        let mut models: Vec<GalleryModel> = Vec::new();
        for &(file, text) in self.files.iter().filter(|(file, _)| file.ends_with(".holo")) {
            let stem = file.trim_end_matches(".holo");
            let name = if file == own { self.name.to_string() } else { format!("{}/{stem}", self.name) };
            if PARTS.contains(&name.as_str()) {
                continue;
            }
            let diagnosis = DIAGNOSES.iter().find(|(known, _)| *known == name).map(|(_, code)| *code);
            models.push(GalleryModel { entry: self, file, text, diagnosis });
        }
        models.sort_by_key(|model| model.file != own);
        models
    }
}

impl GalleryModel {
    /// What it is called: the name of its entry, with its own after a `/` where there are several.
    pub fn name(&self) -> String {
        match self.file.trim_end_matches(".holo") {
            stem if stem == self.entry.name => stem.to_string(),
            stem => format!("{}/{stem}", self.entry.name),
        }
    }
}

/// The entry of a name.
pub fn entry(name: &str) -> Option<&'static GalleryEntry> {
    ENTRIES.iter().find(|entry| entry.name == name)
}

/// The model of a name: `wheel`, or `block/smooth` for a variant; `.holo` may follow.
pub fn model(name: &str) -> Option<GalleryModel> {
    let name = name.trim_end_matches(".holo").trim_matches('/');
    let (of, which) = name.split_once('/').unwrap_or((name, name));
    entry(of)?.models().into_iter().find(|model| model.file.trim_end_matches(".holo") == which)
}

/// The themes of the gallery, and the entries of each, in the order of its page.
pub fn themes() -> Vec<(&'static str, Vec<&'static GalleryEntry>)> {
    let mut themes: Vec<(&str, Vec<&GalleryEntry>)> = Vec::new();
    for line in LIST.lines() {
        if let Some(title) = line.strip_prefix("## ") {
            themes.push((title, Vec::new()));
        } else if let Some(rest) = line.strip_prefix("- [")
            && let Some((name, _)) = rest.split_once(']')
            && let (Some(entry), Some((_, list))) = (entry(name), themes.last_mut())
        {
            list.push(entry);
        }
    }
    themes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_entry_is_in_the_list_once() {
        let mut listed: Vec<&str> = themes().iter().flat_map(|(_, list)| list.iter().map(|entry| entry.name)).collect();
        listed.sort_unstable();
        let names: Vec<&str> = ENTRIES.iter().map(|entry| entry.name).collect();
        assert_eq!(listed, names);
    }

    #[test]
    fn every_entry_has_a_title_and_a_sentence() {
        for entry in ENTRIES {
            assert!(!entry.title().is_empty(), "{}", entry.name);
            let summary = entry.summary();
            assert!(summary.ends_with('.') && summary.len() < 200, "{}: {summary}", entry.name);
            assert!(
                LIST.contains(&format!("- [{0}]({0}): {summary}\n", entry.name)),
                "the list says something else of {}",
                entry.name
            );
            // One has no model but numbers.
            assert!(entry.name == "papers" || model(entry.name).is_some(), "{} has no model of its name", entry.name);
        }
    }

    #[test]
    fn models_are_found_by_name() {
        assert_eq!(model("wheel").unwrap().file, "wheel.holo");
        assert_eq!(model("block/smooth.holo").unwrap().name(), "block/smooth");
        assert_eq!(model("contradiction").unwrap().diagnosis, Some("contradiction"));
        assert!(model("nothing").is_none() && model("wheel/nothing").is_none());
        for (name, _) in DIAGNOSES {
            assert!(model(name).is_some(), "{name}");
        }
    }
}
